/** Waits until all promises have settled. Throws the first rejection. */
export async function waitForAll<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ends.map((end) => (end.status === 'fulfilled' ? end.value : undefined)) as never;
}
