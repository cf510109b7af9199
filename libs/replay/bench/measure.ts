/** The median of several rounds. */
export interface Measure {
  readonly name: string;
  readonly medianMs: number;
  /** The units of work in one round. */
  readonly units: number;
  readonly perSecond: number;
}

/** Runs the work once to warm up, then `rounds` times, and returns the median. */
export async function measure(
  name: string,
  units: number,
  work: () => Promise<unknown> | unknown,
  rounds = 7,
): Promise<Measure> {
  await work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const medianMs = times.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number;
  return { name, medianMs, units, perSecond: (units / medianMs) * 1000 };
}

/** The numbers on the command line: the sizes to measure. */
export const sizes = process.argv.slice(2).flatMap((arg) => (arg === '--json' ? [] : [Number(arg)]));

/** Prints a table, or one JSON document with `--json`. */
export function print(measures: readonly Measure[]): void {
  if (process.argv.includes('--json')) {
    process.stdout.write(`${JSON.stringify(measures)}\n`);
    return;
  }
  for (const { name, medianMs, units, perSecond } of measures) {
    process.stdout.write(
      `${name.padEnd(34)} ${medianMs.toFixed(1).padStart(9)} ms  ${String(units).padStart(7)} units  ${Math.round(perSecond).toLocaleString('en').padStart(10)} /s\n`,
    );
  }
}
