import { readdirSync } from 'node:fs';
import { type JsonObject, type JsonValue, type Limits, problemsOfEntry } from '@reins/contracts';
import { type EntryDraft, hashJson } from '../entries/entry.ts';
import { effectKind } from '../facts/effect-kinds.ts';
import { byReference, largeValueOf } from '../large/large-values.ts';
import type { RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { blobRefOf } from './run-blobs.ts';

/** An entry as a file beside the journal has it: one reading of that file, where it leaves something open. */
export interface BesideDraft {
  readonly draft: EntryDraft;
  /** Run-relative. */
  readonly from: string;
  /** Where the arguments of a request lie, when that is a file of their own. */
  readonly inputsRef?: string;
  /** When it was recorded, where the file says so. */
  readonly recordedAt?: string;
}

/** Everything that the files beside the journal say of what came after a start of the process, the likeliest reading of each first. */
export function draftsBeside(paths: RunPaths): BesideDraft[] {
  const beside = new LegacyFiles(paths.root);
  const output = beside.json('state/output.json');
  const end: BesideDraft[] =
    output === undefined ? [] : [{ draft: { type: 'RUN_COMPLETED', data: { output } }, from: 'state/output.json' }];
  const tasks = effectIdsBeside(paths).flatMap((id) => [...requestsBeside(paths, id), ...resultsBeside(paths, id)]);
  return [...tasks, ...end.flatMap(inBothForms)].filter(isLawful);
}

/** What is large stood in the journal by reference; itself in those that we wrote first. */
export function inBothForms(one: BesideDraft): BesideDraft[] {
  const large = largeValueOf(one.draft);
  if (large === undefined) return [one];
  return [{ ...one, draft: byReference(one.draft, blobRefOf(large), one.inputsRef) }, one];
}

export const isLawful = ({ draft: { type, data } }: BesideDraft): boolean => problemsOfEntry(type, data).length === 0;

/** The effects that have a folder. */
export function effectIdsBeside({ tasks }: RunPaths): string[] {
  try {
    return readdirSync(tasks).toSorted();
  } catch {
    return [];
  }
}

const YEAR = 365 * 24 * 60 * 60 * 1000;
/** Of what waits for somebody else's work, as every task in a run directory does. */
const WAIT: Limits = { startWithinMs: YEAR, runForMs: YEAR, maxAttempts: 1, onUnknown: 'fail' };

/** The request of an effect in the forms that its `task.json` can stand for; none when that does not say enough. */
export function requestsBeside(paths: RunPaths, effectId: string): BesideDraft[] {
  const beside = new LegacyFiles(paths.root);
  const from = `tasks/${effectId}/task.json`;
  const { effectId: named, invocationKey: key, inputsRef, ...shown } = beside.object(from) ?? {};
  const kind = typeof key === 'string' ? kindIn(key) : undefined;
  if (named !== effectId || kind === undefined) return [];
  const args = beside.json(inputsRef);
  if (inputsRef !== undefined && args === undefined) return [];
  const whole = { ...shown, ...(args !== undefined && { args }) };
  return requestReadings(kind, whole).flatMap(({ request, label }) => {
    const argsHash = hashJson({ kind, request });
    const data = { effectId, kind, attempt: 1, key, argsHash, request, limits: WAIT, ...label };
    const draft = { type: 'EFFECT_REQUESTED', data } as EntryDraft;
    return inBothForms({ draft, from, ...(typeof inputsRef === 'string' && { inputsRef }) });
  });
}

/** What the process names an effect by, as its `task.json` has it. */
export function keyBeside(paths: RunPaths, effectId: string): string | undefined {
  const { invocationKey } = new LegacyFiles(paths.root).object(`tasks/${effectId}/task.json`) ?? {};
  return typeof invocationKey === 'string' ? invocationKey : undefined;
}

/** `task.check.default.5de532e7d08c.0`, `task:mine`; after a new start `g1.task…`. Undefined for a kind that does not wait for others. */
function kindIn(key: string): string | undefined {
  const [, kind] = /^(?:g\d+\.)?([a-z]+)[.:]/.exec(key) ?? [];
  return kind !== undefined && (kind === 'task' || effectKind(kind).waiting) ? kind : undefined;
}

interface RequestReading {
  readonly request: JsonObject;
  readonly label: { readonly label?: JsonValue };
}

/** Kind and label are of the request, of the effect, or of both: `task.json` shows one of each. */
function requestReadings(kind: string, whole: JsonObject): RequestReading[] {
  const { kind: shownKind, label, ...rest } = whole;
  const request: JsonObject = kind === 'task' ? { ...rest, kind: shownKind ?? null } : rest;
  if (label === undefined) return [{ request, label: {} }];
  const labelled = { ...request, label };
  const readings = [
    { request: labelled, label: { label } },
    { request: labelled, label: {} },
    { request, label: { label } },
  ];
  return kind === 'task' ? readings : readings.toReversed();
}

/** The end of an effect, as `views.ts` writes it: the data of its entry, and when that was recorded. */
export function resultsBeside(paths: RunPaths, effectId: string): BesideDraft[] {
  const from = `tasks/${effectId}/result.json`;
  const { finishedAt, ...data } = new LegacyFiles(paths.root).object(from) ?? {};
  if (data.effectId !== effectId || data.attempt === undefined || typeof finishedAt !== 'string') return [];
  const { status, ...cancelled } = data;
  const isCancelled = status === 'cancelled';
  const draft = {
    type: isCancelled ? 'EFFECT_CANCELLED' : 'EFFECT_RESOLVED',
    data: isCancelled ? cancelled : data,
  } as unknown as EntryDraft;
  return isLawful({ draft, from }) ? [{ draft, from, recordedAt: finishedAt }] : [];
}
