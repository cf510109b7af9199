/** The first message appears after this time, later ones at growing intervals. */
const FIRST_MS = 2_000;
const LONGEST_MS = 10_000;

/**
 * Calls `work` and logs what it waits for, and for how long, after two seconds and then at growing intervals. `work` gets a
 * function to report what it does now.
 * @param name what the work does at first
 */
export async function withProgress(name, log, work) {
  const since = performance.now();
  let doing = name;
  let timer;
  const wait = (ms) => {
    timer = setTimeout(() => {
      log(`setup: ${doing} … ${Math.round((performance.now() - since) / 1000)} s`);
      wait(Math.min(2 * ms, LONGEST_MS));
    }, ms);
  };
  wait(FIRST_MS);
  try {
    return await work((what) => {
      doing = what;
    });
  } finally {
    clearTimeout(timer);
  }
}
