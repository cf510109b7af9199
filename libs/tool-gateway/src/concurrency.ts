/**
 * Runs `work` for each item with limited concurrency and returns the results in the order of the items. When one
 * fails, the others complete before this rejects, so that no work continues in the background.
 */
export async function mapConcurrent<T, R>(
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++)
      results[index] = await work(items[index] as T, index);
  };
  await waitForAll(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return results;
}

/** Waits until all promises have settled. Throws the first rejection. */
export async function waitForAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as never;
}
