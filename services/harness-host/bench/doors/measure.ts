/** Measurements that the benchmarks of the doors share. */
export const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

export const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits));

/** The milliseconds that `run` takes. */
export async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}
