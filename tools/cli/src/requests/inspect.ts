import type { JsonObject, JsonValue, Problem } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { pendingByKind, type TaskReport, tasksOf } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { effectNames } from '../runs/effect-names.ts';
import { failureOf } from '../runs/failure-of.ts';
import { missingValues } from './replay.ts';
import { isCorrupt, type LoadedRequest, withRequest } from './request-journal.ts';
import { requestRunStatus } from './request-status.ts';

/** The status of a request, with the field names of run directories. */
export function requestStatus(context: CliContext, requestId: string) {
  return withRequest(context, requestId, async (loaded) => {
    const counts = pendingByKind(loaded);
    const totalPending = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const { process, head } = loaded.state;
    const last = loaded.entries.at(-1);
    return {
      requestId,
      ...requestRunStatus(loaded, totalPending),
      error: failureOf(loaded.state),
      lastEvent: last ? eventOf(last) : null,
      pendingByKind: counts,
      needsMoreIterations: false,
      metadata: { process: process.id, codeHash: process.codeHash, journalHead: { ...head } },
    };
  });
}

/** The journal entries of a request. */
export function requestEvents(
  context: CliContext,
  requestId: string,
  { filterType, reverse }: { readonly filterType?: string; readonly reverse?: boolean },
  limit: number,
) {
  const wanted = filterType?.toUpperCase();
  return withRequest(context, requestId, async ({ entries, run }) => {
    const filtered = entries.filter(({ type }) => wanted === undefined || type === wanted);
    const events = (reverse ? filtered.toReversed() : filtered).slice(0, limit).map(eventOf);
    return { events, names: effectNames(entries.map(eventOf)), metadata: { ...run } };
  });
}

const eventOf = ({ version, type, recordedAt, hash, data }: Entry) => ({
  seq: version,
  type,
  recordedAt,
  hash,
  data: data as JsonObject,
});

/** The effects of a request. */
export function requestTasks(
  context: CliContext,
  requestId: string,
  flags: { readonly pending?: boolean; readonly kind?: string },
): Promise<TaskReport[]> {
  const kind = flags.kind?.toLowerCase();
  return withRequest(context, requestId, async (loaded) =>
    tasksOf(loaded)
      .filter(
        (task) =>
          (!flags.pending || task.status === 'requested') && (kind === undefined || task.kind.toLowerCase() === kind),
      )
      .map(withoutFiles),
  );
}

/** An effect with its request and result; undefined for an unknown effect. */
export function requestTask(context: CliContext, requestId: string, effectId: string) {
  return withRequest(context, requestId, async (loaded) => {
    const effect = loaded.state.effects.get(effectId);
    const task = tasksOf(loaded).find((one) => one.effectId === effectId);
    if (!effect || !task) return undefined;
    const { request, requestRef, result } = effect;
    const whole = requestRef ? await loaded.values.get(requestRef) : request;
    return { effect: withoutFiles(task), task: whole, result: await resultOf(loaded, result) };
  });
}

async function resultOf(
  { values }: LoadedRequest,
  result: { readonly valueRef?: { readonly sha256: string; readonly size: number } } | undefined,
): Promise<JsonValue> {
  if (!result) return null;
  const { valueRef, ...rest } = result;
  return valueRef ? { ...rest, value: await values.get(valueRef) } : ({ ...rest } as JsonObject);
}

/** Clears the file references: a request has no files next to its journal. */
export const withoutFiles = (task: TaskReport): TaskReport => ({
  ...task,
  taskDefRef: '',
  inputsRef: null,
  resultRef: null,
});

/** Verifies the journal of a request: the hash chain, the entries, and the values that it refers to. */
export async function verifyRequest(context: CliContext, requestId: string) {
  try {
    return await withRequest(context, requestId, async (loaded) => {
      const { entries, state } = loaded;
      const problems: readonly Problem[] = await missingValues(loaded);
      return { problems, entries: entries.length, headHash: state.head.hash as string | null };
    });
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return { problems: error.problems, entries: 0, headHash: null };
  }
}
