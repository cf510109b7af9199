/** Does a piece of work so many times, so many of them open at any time. */
export async function keepOpen(count: number, open: number, work: () => Promise<void>): Promise<void> {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: open }, lane));
}
