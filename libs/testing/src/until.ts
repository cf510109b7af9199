import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** What is waited for, as the error names it. */
  readonly what?: string;
  /** Only what never comes true takes that long: a busy machine may take its time. */
  readonly withinMs?: number;
  /** How long to wait between two looks. */
  readonly everyMs?: number;
}

type Truthy<T> = Exclude<T, false | '' | 0 | 0n | null | undefined>;

/**
 * Looks again and again until `look` gives something truthy, and resolves to that; rejects when `withinMs` is over, with
 * the last error that `look` threw as its cause. For what sends no event of its own: rows of a table, ports of a process.
 */
export async function until<T>(look: () => T | Promise<T>, options: UntilOptions = {}): Promise<Truthy<T>> {
  const { what = 'the condition', withinMs = 60_000, everyMs = 15 } = options;
  const giveUpAt = performance.now() + withinMs;
  let cause: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen) return seen as Truthy<T>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt) throw new Error(`${what} did not come true within ${withinMs} ms`, { cause });
    await delay(everyMs);
  }
}
