/** Calls `work` `count` times, with `open` calls running at any time. */
export async function keepOpen(count: number, open: number, work: () => Promise<void>): Promise<void> {
  let started = 0;
  const worker = async (): Promise<void> => {
    while (started < count) {
      started += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: open }, worker));
}
