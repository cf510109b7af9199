import { isObject, type JsonObject, type ProcessRef, type RunAddress } from '@reins/contracts';
import { BARE_RUN } from '../../entries/bare-run.ts';
import type { Dated } from '../../verify/lawful.ts';
import { effectIdsBeside } from '../beside-drafts.ts';
import { timeOf } from '../chained-ulid.ts';
import { type EntryFile, memberOf } from '../journal-files.ts';
import { isUlid, type RunPaths } from '../layout.ts';
import { LegacyFiles } from './legacy-files.ts';
import { translateEvent } from './translate.ts';

/** An entry of a babysitter's journal that is torn or gone: a request as its `task.json` has it, or the process as `run.json` does. */
export interface LostEntry extends Dated {
  /** In whose place it stands: a torn file, or where none is. */
  readonly file: EntryFile;
  /** Run-relative. */
  readonly from: string;
}

/** A file of the journal, with what could be read of it. */
export interface ReadFile {
  readonly file: EntryFile;
  readonly dated: Dated | undefined;
}

/**
 * The requests that the journal had and has no more, and the process that it was given. A task's file was written before its entry there, so one without an entry says nothing as long
 * as nothing is missing where it would stand, which its id tells by its time, and no other entry is about it.
 */
export function lostLegacyEntries(read: readonly ReadFile[], paths: RunPaths, run: RunAddress): LostEntry[] {
  const start = lostAssignment(read, paths, run);
  const beside = new LegacyFiles(paths.root);
  const asked = read.flatMap(({ dated }) => (dated?.draft.type === 'EFFECT_REQUESTED' ? [dated.draft.data] : []));
  const ids = new Set(asked.map(({ effectId }) => effectId));
  const keys = new Set(asked.map(({ key }) => key));
  const taken = new Set<EntryFile>(start ? [start.file] : []);
  const requests = effectIdsBeside(paths).flatMap((effectId): LostEntry[] => {
    const from = `tasks/${effectId}/task.json`;
    const task = beside.object(from);
    if (ids.has(effectId) || !task || task.effectId !== effectId) return [];
    const { invocationKey, taskId } = task;
    if (typeof invocationKey !== 'string' || typeof taskId !== 'string' || keys.has(invocationKey)) return [];
    const file = placeOf(effectId, read, taken);
    if (!file) return [];
    taken.add(file);
    const known = stateOf(beside, task);
    const recordedAt = recordedAtOf(file, known, effectId);
    const data = { ...eventData(task, file, known), taskDefRef: from };
    return [{ ...translateEvent({ type: 'EFFECT_REQUESTED', recordedAt, data }, beside, run), file, from }];
  });
  return start ? [start, ...requests] : requests;
}

/** The process that a bare run was given, where that entry is torn or gone and `run.json` has it. */
function lostAssignment(read: readonly ReadFile[], paths: RunPaths, run: RunAddress): LostEntry | undefined {
  const beside = new LegacyFiles(paths.root);
  const { entrypoint, processCodeHash, createdAt } = beside.object('run.json') ?? {};
  if (!isObject(entrypoint) || typeof createdAt !== 'string') return undefined;
  const at = read.findIndex(({ file, dated }, i) => {
    const isGap = i > 0 && file.seq > (read[i - 1]?.file.seq ?? 0) + 1;
    return isGap || (i > 0 && !dated && [undefined, 'PROCESS_ASSIGNED'].includes(memberOf(file.text, 'type')));
  });
  const place = read[at]?.file;
  const before = read.flatMap(({ dated }) => (dated && isStart(dated) ? [dated.draft.data.process] : [])).at(-1);
  if (!place || before?.id !== BARE_RUN) return undefined;
  const inputsRef = beside.json('inputs.json') === undefined ? {} : { inputsRef: 'inputs.json' };
  const data = { entrypoint, ...(processCodeHash !== undefined && { processCodeHash }), ...inputsRef } as JsonObject;
  const isTorn = !read[at]?.dated;
  const file = isTorn ? place : placeAt(place.seq - 1, 'PROCESS_ASSIGNED');
  const recordedAt = recordedAtOf(place, {}, place.ulid);
  const dated = translateEvent({ type: 'PROCESS_ASSIGNED', recordedAt, data }, beside, run);
  const isBare = dated.draft.type === 'PROCESS_ASSIGNED' && dated.draft.data.process.id === BARE_RUN;
  return isBare ? undefined : { ...dated, file, from: 'run.json' };
}

const isStart = (
  dated: Dated,
): dated is Dated & { readonly draft: { readonly data: { readonly process: ProcessRef } } } =>
  dated.draft.type === 'RUN_CREATED' || dated.draft.type === 'PROCESS_ASSIGNED';

/** What the state of the run has of an effect: its label, and when it was requested. */
function stateOf(beside: LegacyFiles, { effectId, invocationKey }: JsonObject): JsonObject {
  const { effectsByInvocation } = beside.object('state/state.json') ?? {};
  const known = isObject(effectsByInvocation) ? (effectsByInvocation as JsonObject)[String(invocationKey)] : undefined;
  return isObject(known) && known.effectId === effectId ? (known as JsonObject) : {};
}

/** What the entry had of its task, and still has where it is only cut off. */
function eventData(
  { effectId, invocationKey, stepId, taskId, kind, title, inputsRef }: JsonObject,
  file: EntryFile,
  known: JsonObject,
) {
  const label = memberOf(file.text, 'label') ?? known.label ?? title ?? taskId;
  const named = { effectId, invocationKey, stepId, taskId, kind, label } as JsonObject;
  return { ...named, ...(inputsRef !== undefined && { inputsRef }) };
}

function recordedAtOf({ text, ulid }: EntryFile, { requestedAt }: JsonObject, effectId: string): string {
  const said = Date.parse(memberOf(text, 'recordedAt') ?? String(requestedAt));
  if (!Number.isNaN(said)) return new Date(said).toISOString();
  const named = [ulid, effectId].find(isUlid);
  return new Date(named === undefined ? 0 : timeOf(named)).toISOString();
}

/** The torn file that names it; else the place that its id has by its time; else before the first entry about it. */
function placeOf(effectId: string, read: readonly ReadFile[], taken: ReadonlySet<EntryFile>): EntryFile | undefined {
  const isFree = ({ file, dated }: ReadFile) => !dated && !taken.has(file) && mayBeRequest(file);
  const named = read.find((one) => isFree(one) && memberOf(one.file.text, 'effectId') === effectId);
  if (named) return named.file;
  const about = read.findIndex(({ file, dated }) => isAbout(file, dated, effectId));
  const next = isUlid(effectId) ? read.findIndex(({ file }) => file.ulid > effectId) : -1;
  const at = read[next];
  const isInTime = next > 0 && (about < 0 || next <= about);
  if (at && isInTime && isFree(at) && memberOf(at.file.text, 'effectId') === undefined) return at.file;
  if (at && isInTime && at.file.seq > (read[next - 1]?.file.seq ?? 0) + 1) return placeAt(at.file.seq - 1, effectId);
  const first = read[isInTime ? next : about];
  return about > 0 && first ? placeAt(first.file.seq - 0.5, effectId) : undefined;
}

const mayBeRequest = ({ text }: EntryFile): boolean => [undefined, 'EFFECT_REQUESTED'].includes(memberOf(text, 'type'));

function isAbout(file: EntryFile, dated: Dated | undefined, effectId: string): boolean {
  if (!dated) return memberOf(file.text, 'effectId') === effectId && !mayBeRequest(file);
  return 'effectId' in dated.draft.data && dated.draft.data.effectId === effectId;
}

const placeAt = (seq: number, effectId: string): EntryFile => ({ seq, ulid: '', name: effectId, text: '' });
