/** What a contestant is asked to do: numbers under names, `{runs: 50, steps: 100}`. */
export type Task = Readonly<Record<string, number>>;

/**
 * The side of the contestant, a process of its own: does what it is asked, one task after the other, and says how many milliseconds that took. It
 * ends with the process that asks.
 *
 * @param stop ends what the contestant started
 */
export function serve(work: (task: Task) => Promise<void>, stop: () => Promise<unknown>): void {
  process.on('message', async (task: Task) => {
    const begun = performance.now();
    try {
      await work(task);
      process.send?.({ ms: performance.now() - begun });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? error.stack : String(error) });
    }
  });
  process.once('disconnect', () => stop().finally(() => process.exit(0)));
  process.send?.({ ready: true });
}
