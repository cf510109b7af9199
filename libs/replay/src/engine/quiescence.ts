/** How many rests in a row may be taken without letting the event loop turn. */
const RESTS_PER_TURN = 256;
let rests = 0;
/** As they are now: in a sandbox the process's own code finds others under these names. */
const { setImmediate, process } = globalThis;

/**
 * Resolves when every promise reaction that could run has run: the process waits for something from outside, or is done.
 * A tick that is scheduled from within a microtask comes after the whole microtask queue. Now and then it is a turn of the event loop
 * instead, so that a long replay does not keep timers and sockets from their work.
 */
export function quiescent(): Promise<void> {
  return new Promise((resolve) => {
    queueMicrotask(() => {
      rests = (rests + 1) % RESTS_PER_TURN;
      if (rests === 0) setImmediate(resolve);
      else process.nextTick(resolve);
    });
  });
}
