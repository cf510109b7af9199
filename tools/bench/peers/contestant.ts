/** The work of a contestant: named numbers, such as `{runs: 50, steps: 100}`. */
export type Task = Readonly<Record<string, number>>;

/**
 * Runs a contestant in its own process: executes the tasks that the parent process sends, and reports the milliseconds of each. Exits with
 * the parent process.
 *
 * @param stop stops everything that the contestant started
 */
export function serve(work: (task: Task) => Promise<void>, stop: () => Promise<unknown>): void {
  process.on('message', async (task: Task) => {
    const since = performance.now();
    try {
      await work(task);
      process.send?.({ ms: performance.now() - since });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.stack : String(error) });
    }
  });
  process.once('disconnect', () => stop().finally(() => process.exit(0)));
  process.send?.({ ready: true });
}
