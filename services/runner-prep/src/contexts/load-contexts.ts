import { problemOf } from '@reins/contracts';
import type { ContextId, Loaded, StageContexts } from '@reins/runtime-config';
import type { StepTimer } from '../step-timer.ts';

type ValueOf<K extends ContextId> = NonNullable<StageContexts[K]> extends Loaded<infer T> ? T : never;

/** Loads one context, or says why there is none. Whatever it waits for ends with the signal. */
export type ContextLoader<T> = (signal: AbortSignal) => Loaded<T> | Promise<Loaded<T>>;
export type ContextLoaders = { readonly [K in ContextId]: ContextLoader<ValueOf<K>> };

/**
 * Loads all contexts side by side, each within its deadline, timed as `load_<id>_context`. None of them can fail a run: one that takes
 * too long or breaks is recorded as such.
 */
export async function loadContexts(
  loaders: ContextLoaders,
  { deadlineMs, timer }: { readonly deadlineMs: number; readonly timer: StepTimer },
): Promise<StageContexts> {
  const loaded = await Promise.all(
    Object.entries(loaders).map(async ([id, load]) => [
      id,
      await timer.step(`load_${id}_context`, () => loadWithin(load as ContextLoader<unknown>, deadlineMs)),
    ]),
  );
  return Object.fromEntries(loaded) as StageContexts;
}

async function loadWithin(load: ContextLoader<unknown>, deadlineMs: number): Promise<Loaded<unknown>> {
  const abort = new AbortController();
  let timeout: NodeJS.Timeout | undefined;
  try {
    const loading = load(abort.signal);
    if (!(loading instanceof Promise)) return loading;
    const late = new Promise<Loaded<unknown>>((resolve) => {
      timeout = setTimeout(
        () => resolve({ status: 'timed_out', reason: `not there after ${deadlineMs} ms` }),
        deadlineMs,
      );
    });
    // What comes after the deadline comes for nobody.
    loading.catch(() => undefined);
    return await Promise.race([loading, late]);
  } catch (error) {
    return { status: 'failed', reason: problemOf(error).message };
  } finally {
    clearTimeout(timeout);
    abort.abort();
  }
}
