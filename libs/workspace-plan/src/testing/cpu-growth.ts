/**
 * How many times the CPU time of `small` the work in `large` takes, each the best of three runs after a warm-up.
 * Both run in this process one after the other, so that the ratio does not depend on the speed or the load of the machine.
 * `small` counts as at least one millisecond: what is faster cannot be measured.
 */
export function cpuGrowth(small: () => void, large: () => void): number {
  small();
  return cpuMs(large) / Math.max(1, cpuMs(small));
}

function cpuMs(work: () => void): number {
  const runs = [0, 1, 2].map(() => {
    const begun = process.cpuUsage();
    work();
    return process.cpuUsage(begun).user / 1_000;
  });
  return Math.min(...runs);
}
