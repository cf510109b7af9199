import { problemOf } from '@reins/contracts';
import type { ContextId, Loaded, StageContexts } from '@reins/runtime-config';
import type { StepTimer } from '../step-timer.ts';

type ValueOf<K extends ContextId> = NonNullable<StageContexts[K]> extends Loaded<infer T> ? T : never;

/** Loads one context, or says why there is none. Whatever it waits for ends with the signal. */
export type ContextLoader<T> = (signal: AbortSignal) => Promise<Loaded<T>>;
/** What came with the request is there already; everything else has to be loaded. */
export type ContextSource<T> = Loaded<T> | ContextLoader<T>;
export type ContextSources = { readonly [K in ContextId]: ContextSource<ValueOf<K>> };

/**
 * All contexts, what has to be loaded side by side, each within its deadline, timed as `load_<id>_context`. None of them can fail a
 * run: one that takes too long or breaks is recorded as such.
 */
export async function loadContexts(
  sources: ContextSources,
  { deadlineMs, timer }: { readonly deadlineMs: number; readonly timer: StepTimer },
): Promise<StageContexts> {
  const loaded: Partial<Record<ContextId, Loaded<unknown>>> = {};
  const waits: Promise<void>[] = [];
  for (const [id, source] of Object.entries(sources) as [ContextId, ContextSource<unknown>][]) {
    const name = `load_${id}_context`;
    if (typeof source !== 'function') loaded[id] = timer.run(name, () => source);
    else
      waits.push(
        timer
          .step(name, () => loadWithin(source, deadlineMs))
          .then((value) => {
            loaded[id] = value;
          }),
      );
  }
  await Promise.all(waits);
  return loaded as StageContexts;
}

async function loadWithin(load: ContextLoader<unknown>, deadlineMs: number): Promise<Loaded<unknown>> {
  const abort = new AbortController();
  let timeout: NodeJS.Timeout | undefined;
  const late = new Promise<Loaded<unknown>>((resolve) => {
    timeout = setTimeout(
      () => resolve({ status: 'timed_out', reason: `not there after ${deadlineMs} ms` }),
      deadlineMs,
    );
  });
  const loading = load(abort.signal);
  // What comes after the deadline comes for nobody.
  loading.catch(() => undefined);
  try {
    return await Promise.race([loading, late]);
  } catch (error) {
    return { status: 'failed', reason: problemOf(error).message };
  } finally {
    clearTimeout(timeout);
    abort.abort();
  }
}
