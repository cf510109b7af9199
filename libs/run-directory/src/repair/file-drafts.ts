import { readdirSync } from 'node:fs';
import { defined, type JsonObject, type JsonValue, problemsOfEntry } from '@reins/contracts';
import { byReference, type EntryDraft, effectKind, hashJson, largeValueOf, WAIT_LIMITS } from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import type { RunPaths } from '../store/layout.ts';
import { blobRefOf } from '../values/run-blobs.ts';

/** A draft of an entry, read from another file of the run directory. An ambiguous file gives several. */
export interface FileDraft {
  readonly draft: EntryDraft;
  /** Run-relative. */
  readonly from: string;
  /** The file with the arguments of a request, if they have one of their own. */
  readonly inputsRef?: string;
  /** When the entry was recorded, if the file says so. */
  readonly recordedAt?: string;
}

/**
 * Reads drafts of all entries after a start of the process from the other files, the likeliest reading of each first.
 */
export function draftsFromFiles(paths: RunPaths): FileDraft[] {
  const legacyFiles = new LegacyFiles(paths.root);
  const output = legacyFiles.json('state/output.json');
  const end: FileDraft[] =
    output === undefined ? [] : [{ draft: { type: 'RUN_COMPLETED', data: { output } }, from: 'state/output.json' }];
  const tasks = effectIdsWithFolder(paths).flatMap((id) => [
    ...requestsFromTask(paths, id),
    ...resultsFromFile(paths, id),
  ]);
  return [...tasks, ...end.flatMap(inlineAndReferenced)].filter(isValidDraft);
}

/** Large values are in the journal by reference; early versions of Reins stored them inline. */
export function inlineAndReferenced(one: FileDraft): FileDraft[] {
  const large = largeValueOf(one.draft);
  if (large === undefined) return [one];
  return [{ ...one, draft: byReference(one.draft, blobRefOf(large), one.inputsRef) }, one];
}

export const isValidDraft = ({ draft: { type, data } }: FileDraft): boolean => problemsOfEntry(type, data).length === 0;

/** The effects that have a folder. */
export function effectIdsWithFolder({ tasks }: RunPaths): string[] {
  try {
    return readdirSync(tasks).toSorted();
  } catch {
    return [];
  }
}

/** The possible requests of an effect, as its `task.json` describes it. Empty when the file does not say enough. */
export function requestsFromTask(paths: RunPaths, effectId: string): FileDraft[] {
  const legacyFiles = new LegacyFiles(paths.root);
  const from = `tasks/${effectId}/task.json`;
  const { effectId: named, invocationKey: key, inputsRef, ...shown } = legacyFiles.object(from) ?? {};
  const kind = typeof key === 'string' ? kindOfKey(key) : undefined;
  if (named !== effectId || kind === undefined) return [];
  const args = legacyFiles.json(inputsRef);
  if (inputsRef !== undefined && args === undefined) return [];
  const whole = { ...shown, ...defined({ args }) };
  return requestCandidates(kind, whole).flatMap(({ request, label }) => {
    const argsHash = hashJson({ kind, request });
    const data = { effectId, kind, attempt: 1, key, argsHash, request, limits: WAIT_LIMITS, ...label };
    const draft = { type: 'EFFECT_REQUESTED', data } as EntryDraft;
    return inlineAndReferenced({ draft, from, ...(typeof inputsRef === 'string' && { inputsRef }) });
  });
}

/** The invocation key of an effect, from its `task.json`. */
export function keyFromTask(paths: RunPaths, effectId: string): string | undefined {
  const { invocationKey } = new LegacyFiles(paths.root).object(`tasks/${effectId}/task.json`) ?? {};
  return typeof invocationKey === 'string' ? invocationKey : undefined;
}

/**
 * The kind in `task.check.default.5de532e7d08c.0`, `task:mine`, or after a restart `g1.task…`. Undefined for kinds
 * without a task file.
 */
function kindOfKey(key: string): string | undefined {
  const [, kind] = /^(?:g\d+\.)?([a-z]+)[.:]/.exec(key) ?? [];
  return kind !== undefined && isDoneOutside(kind) ? kind : undefined;
}

/** Neither by a service of Reins nor by the owner of the run. */
function isDoneOutside(kind: string): boolean {
  const { resolvedBy } = effectKind(kind);
  return resolvedBy !== 'worker' && resolvedBy !== 'owner';
}

interface LoadedRequest {
  readonly request: JsonObject;
  readonly label: { readonly label?: JsonValue };
}

/** `task.json` shows one kind and one label. They may belong to the request, to the effect, or to both. */
function requestCandidates(kind: string, whole: JsonObject): LoadedRequest[] {
  const { kind: shownKind, label, ...rest } = whole;
  const { hasDefinition } = effectKind(kind);
  const request: JsonObject = hasDefinition ? { ...rest, kind: shownKind ?? null } : rest;
  if (label === undefined) return [{ request, label: {} }];
  const labelled = { ...request, label };
  const readings = [
    { request: labelled, label: { label } },
    { request: labelled, label: {} },
    { request, label: { label } },
  ];
  return hasDefinition ? readings : readings.toReversed();
}

/** The end of an effect as `views.ts` writes it: the data of its entry, and when it was recorded. */
function resultsFromFile(paths: RunPaths, effectId: string): FileDraft[] {
  const from = `tasks/${effectId}/result.json`;
  const { finishedAt, ...data } = new LegacyFiles(paths.root).object(from) ?? {};
  if (data.effectId !== effectId || data.attempt === undefined || typeof finishedAt !== 'string') return [];
  const { status, ...cancelled } = data;
  const isCancelled = status === 'cancelled';
  const draft = {
    type: isCancelled ? 'EFFECT_CANCELLED' : 'EFFECT_RESOLVED',
    data: isCancelled ? cancelled : data,
  } as unknown as EntryDraft;
  return isValidDraft({ draft, from }) ? [{ draft, from, recordedAt: finishedAt }] : [];
}
