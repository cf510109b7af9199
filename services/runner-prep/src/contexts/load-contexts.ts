import { problemOf } from '@reins/contracts';
import type { ContextId, Loaded, StageContexts } from '@reins/runtime-config';
import type { StepTimer } from '../step-timer.ts';

type ValueOf<K extends ContextId> = NonNullable<StageContexts[K]> extends Loaded<infer T> ? T : never;

/** Loads one context, or returns why there is none. It must stop when the signal is aborted. */
export type ContextLoader<T> = (signal: AbortSignal) => Promise<Loaded<T>>;
/** A context from the request is already loaded; other contexts have a loader. */
export type ContextSource<T> = Loaded<T> | ContextLoader<T>;
export type ContextSources = { readonly [K in ContextId]: ContextSource<ValueOf<K>> };

/**
 * Loads all contexts concurrently, each within its deadline, and measures each as `load_<id>_context`. A context never
 * fails a run: a timeout or error is recorded as its outcome.
 */
export async function loadContexts(
  sources: ContextSources,
  { deadlineMs, timer }: { readonly deadlineMs: number; readonly timer: StepTimer },
): Promise<StageContexts> {
  const loaded: Partial<Record<ContextId, Loaded<unknown>>> = {};
  const pending: Promise<void>[] = [];
  for (const [id, source] of Object.entries(sources) as [ContextId, ContextSource<unknown>][]) {
    const name = `load_${id}_context`;
    if (typeof source !== 'function') loaded[id] = timer.run(name, () => source);
    else
      pending.push(
        timer
          .step(name, () => loadWithin(source, deadlineMs))
          .then((value) => {
            loaded[id] = value;
          }),
      );
  }
  await Promise.all(pending);
  return loaded as StageContexts;
}

async function loadWithin(load: ContextLoader<unknown>, deadlineMs: number): Promise<Loaded<unknown>> {
  const abort = new AbortController();
  let timeout: NodeJS.Timeout | undefined;
  const timedOut = new Promise<Loaded<unknown>>((resolve) => {
    timeout = setTimeout(
      () => resolve({ status: 'timed_out', reason: `timed out after ${deadlineMs} ms` }),
      deadlineMs,
    );
  });
  const loading = load(abort.signal);
  // An error after the deadline is ignored.
  loading.catch(() => undefined);
  try {
    return await Promise.race([loading, timedOut]);
  } catch (error) {
    return { status: 'failed', reason: problemOf(error).message };
  } finally {
    clearTimeout(timeout);
    abort.abort();
  }
}
