import { setImmediate as turn } from 'node:timers/promises';

/** Work that yields once per entry, so that its runner decides how long it holds the event loop. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** How many steps run before the event loop gets its turn. */
const STEPS_PER_TURN = 500;

/** Runs all steps without yielding to the event loop. */
export function runSync<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Runs the steps and yields to the event loop now and then. */
export async function runYielding<T>(steps: Steps<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return value;
    if (count % STEPS_PER_TURN === 0) await turn();
  }
}
