/** One implementation. Runs the work `count` times, with names that no other round uses. */
export interface Contestant {
  readonly name: string;
  run(round: number, count: number): Promise<void>;
}

export interface Measured {
  readonly name: string;
  /** Operations per second, median of the rounds. */
  readonly perSecond: number;
  /**
   * CPU time of this process per operation in microseconds, median of the rounds. Steadier than elapsed time on a
   * shared machine.
   */
  readonly cpuMicros: number;
  readonly rounds: readonly number[];
}

/** Runs all contestants in turn, in a different order each round, so that machine load affects all of them. */
export async function interleave(
  contestants: readonly Contestant[],
  rounds: number,
  count: number,
): Promise<Measured[]> {
  const results = new Map(contestants.map(({ name }) => [name, { speeds: [] as number[], cpu: [] as number[] }]));
  for (let round = -1; round < rounds; round++) {
    const shift = (round + contestants.length) % contestants.length;
    for (const contestant of [...contestants.slice(shift), ...contestants.slice(0, shift)]) {
      const startedAt = performance.now();
      const cpuBefore = process.cpuUsage();
      await contestant.run(round, count);
      const perSecond = (count / (performance.now() - startedAt)) * 1000;
      const { user, system } = process.cpuUsage(cpuBefore);
      // The first round is a warm-up.
      if (round < 0) continue;
      results.get(contestant.name)?.speeds.push(perSecond);
      results.get(contestant.name)?.cpu.push((user + system) / count);
    }
  }
  return [...results].map(([name, { speeds, cpu }]) => ({
    name,
    perSecond: Math.round(median(speeds)),
    cpuMicros: Number(median(cpu).toFixed(2)),
    rounds: speeds.map(Math.round),
  }));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Median ratio of the speed of `ours` to that of the fastest of `others`. */
export function ratio(measured: readonly Measured[], ours: string, others: readonly string[]): number {
  const find = (name: string): Measured => {
    const found = measured.find((one) => one.name === name);
    if (!found) throw new Error(`${name} was not measured`);
    return found;
  };
  const best = others.map(find).reduce((a, b) => (a.perSecond > b.perSecond ? a : b));
  return median(find(ours).rounds.map((value, round) => value / (best.rounds[round] as number)));
}
