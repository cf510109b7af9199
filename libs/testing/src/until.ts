import { setTimeout as delay } from 'node:timers/promises';

export interface UntilOptions {
  /** Name of the condition in the error; a function adds what is known when the time is over. */
  readonly what?: string | (() => string);
  /** Timeout. Generous by default, since the machine may be busy. */
  readonly timeoutMs?: number;
  /** Interval between two attempts. */
  readonly intervalMs?: number;
}

type Truthy<T> = Exclude<T, false | '' | 0 | 0n | null | undefined>;

/**
 * Polls `condition` until it returns a truthy value, and resolves to that value. Rejects after `timeoutMs`, with the
 * last error of `condition` as cause. For conditions without an event: table rows, ports of a process.
 */
export async function until<T>(condition: () => T | Promise<T>, options: UntilOptions = {}): Promise<Truthy<T>> {
  const { what = 'the condition', timeoutMs = 60_000, intervalMs = 15 } = options;
  const giveUpAt = performance.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value as Truthy<T>;
      cause = undefined;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt) {
      const name = typeof what === 'string' ? what : what();
      throw new Error(`timed out after ${timeoutMs} ms waiting for ${name}`, { cause });
    }
    await delay(intervalMs);
  }
}
