import { misuse } from '../errors.ts';
import type { ParallelOptions } from '../process-context.ts';

/**
 * Runs thunks concurrently and returns their results in order. Like `Promise.all`, it rejects with the first rejection.
 */
export async function parallelAll<T>(
  work: readonly (() => Promise<T> | T)[],
  options: ParallelOptions = {},
): Promise<T[]> {
  const thunks = work.map((item, index) => thunkOf(item, index));
  const results = new Array<T>(thunks.length);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let i = next++; i < thunks.length; i = next++) results[i] = await (thunks[i] as () => Promise<T> | T)();
  };
  await Promise.all(Array.from({ length: workers(thunks.length, options) }, worker));
  return results;
}

/** `parallelAll` over items. */
export async function parallelMap<I, T>(
  items: readonly I[],
  work: (item: I, index: number) => Promise<T> | T,
  options?: ParallelOptions,
): Promise<T[]> {
  return parallelAll(
    items.map((item, index) => () => work(item, index)),
    options,
  );
}

function workers(length: number, { maxConcurrency = length }: ParallelOptions): number {
  if (maxConcurrency !== length && (!Number.isInteger(maxConcurrency) || maxConcurrency < 1))
    throw misuse(`maxConcurrency must be an integer of at least 1 (got ${maxConcurrency})`);
  return Math.min(maxConcurrency, length);
}

/** Accepts a promise in place of a function, because its work has already started. */
function thunkOf<T>(item: (() => Promise<T> | T) | PromiseLike<T>, index: number): () => Promise<T> | T {
  if (typeof item === 'function') return item;
  if (typeof (item as { then?: unknown } | null)?.then === 'function') return () => Promise.resolve(item);
  throw new TypeError(`parallel.all: item ${index} is a ${typeof item}, neither a function nor a promise`);
}
