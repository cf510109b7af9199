/** How often `quiescent` may resolve without a turn of the event loop. */
const RESTS_PER_TURN = 256;
let rests = 0;
/** Captured here, because the code of a process in a sandbox may replace them. */
const { setImmediate, process } = globalThis;

/**
 * Resolves when all promise reactions have run, so the process waits for input or is done. A tick scheduled in a
 * microtask runs after the whole microtask queue. Now and then it uses a turn of the event loop, so that a long replay
 * does not block timers and sockets.
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
