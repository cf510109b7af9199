import { setImmediate as turn } from 'node:timers/promises';

/** Work over many entries, one step for each: its driver says how long it may hold the event loop. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Steps that are done in one go. */
const AT_ONCE = 500;

/** Does the work in one go. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Does the work, and lets everybody else have their turn now and then. */
export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return value;
    if (count % AT_ONCE === 0) await turn();
  }
}
