import { defined, isObject, type JsonObject, type ProcessRef, type RunAddress } from '@reins/contracts';
import { BARE_RUN, type DatedDraft } from '@reins/journal';
import { effectIdsWithFolder } from '../repair/file-drafts.ts';
import { timeOf } from '../store/chained-ulid.ts';
import { type EntryFile, stringMember } from '../store/journal-files.ts';
import { isUlid, type RunPaths } from '../store/layout.ts';
import { LegacyFiles } from './legacy-files.ts';
import { translateEvent } from './translate.ts';

/** A recovered entry of a babysitter journal: a request from its `task.json`, or the process from `run.json`. */
interface LostEntry extends DatedDraft {
  /** The torn file that it replaces, or a placeholder where no file is. */
  readonly file: EntryFile;
  /** Run-relative. */
  readonly from: string;
}

/** A file of the journal, with its entry if it could be read. */
export interface ReadFile {
  readonly file: EntryFile;
  readonly dated: DatedDraft | undefined;
}

/**
 * Recovers requests and the assigned process. A task's file is written before its entry. So a task is recovered only if
 * an entry is missing at its place, which the time in its id shows, or if another entry is about it.
 */
export function lostLegacyEntries(read: readonly ReadFile[], paths: RunPaths, run: RunAddress): LostEntry[] {
  const start = lostAssignment(read, paths, run);
  const legacyFiles = new LegacyFiles(paths.root);
  const requestData = read.flatMap(({ dated }) => (dated?.draft.type === 'EFFECT_REQUESTED' ? [dated.draft.data] : []));
  const ids = new Set(requestData.map(({ effectId }) => effectId));
  const keys = new Set(requestData.map(({ key }) => key));
  const taken = new Set<EntryFile>(start ? [start.file] : []);
  const requests = effectIdsWithFolder(paths).flatMap((effectId): LostEntry[] => {
    const from = `tasks/${effectId}/task.json`;
    const task = legacyFiles.object(from);
    if (ids.has(effectId) || !task || task.effectId !== effectId) return [];
    const { invocationKey, taskId } = task;
    if (typeof invocationKey !== 'string' || typeof taskId !== 'string' || keys.has(invocationKey)) return [];
    const file = placeOf(effectId, read, taken);
    if (!file) return [];
    taken.add(file);
    const known = stateOf(legacyFiles, task);
    const recordedAt = recordedAtOf(file, known, effectId);
    const data = { ...eventData(task, file, known), taskDefRef: from };
    return [{ ...translateEvent({ type: 'EFFECT_REQUESTED', recordedAt, data }, legacyFiles, run), file, from }];
  });
  return start ? [start, ...requests] : requests;
}

/** Recovers the process that was assigned to a bare run from `run.json`. */
function lostAssignment(read: readonly ReadFile[], paths: RunPaths, run: RunAddress): LostEntry | undefined {
  const legacyFiles = new LegacyFiles(paths.root);
  const { entrypoint, processCodeHash, createdAt } = legacyFiles.object('run.json') ?? {};
  if (!isObject(entrypoint) || typeof createdAt !== 'string') return undefined;
  const at = read.findIndex(({ file, dated }, i) => {
    const isGap = i > 0 && file.seq > (read[i - 1]?.file.seq ?? 0) + 1;
    return isGap || (i > 0 && !dated && [undefined, 'PROCESS_ASSIGNED'].includes(stringMember(file.text, 'type')));
  });
  const place = read[at]?.file;
  const before = read.flatMap(({ dated }) => (dated && isStart(dated) ? [dated.draft.data.process] : [])).at(-1);
  if (!place || before?.id !== BARE_RUN) return undefined;
  const inputsRef = legacyFiles.json('inputs.json') === undefined ? {} : { inputsRef: 'inputs.json' };
  const data = { entrypoint, ...defined({ processCodeHash }), ...inputsRef } as JsonObject;
  const isTorn = !read[at]?.dated;
  const file = isTorn ? place : placeAt(place.seq - 1, 'PROCESS_ASSIGNED');
  const recordedAt = recordedAtOf(place, {}, place.ulid);
  const dated = translateEvent({ type: 'PROCESS_ASSIGNED', recordedAt, data }, legacyFiles, run);
  const isBare = dated.draft.type === 'PROCESS_ASSIGNED' && dated.draft.data.process.id === BARE_RUN;
  return isBare ? undefined : { ...dated, file, from: 'run.json' };
}

const isStart = (
  dated: DatedDraft,
): dated is DatedDraft & { readonly draft: { readonly data: { readonly process: ProcessRef } } } =>
  dated.draft.type === 'RUN_CREATED' || dated.draft.type === 'PROCESS_ASSIGNED';

/** The data of an effect in the run's state: its label, and when it was requested. */
function stateOf(legacyFiles: LegacyFiles, { effectId, invocationKey }: JsonObject): JsonObject {
  const { effectsByInvocation } = legacyFiles.object('state/state.json') ?? {};
  const known = isObject(effectsByInvocation) ? (effectsByInvocation as JsonObject)[String(invocationKey)] : undefined;
  return isObject(known) && known.effectId === effectId ? (known as JsonObject) : {};
}

/** The data that the entry had about its task, including what can be read from a torn file. */
function eventData(
  { effectId, invocationKey, stepId, taskId, kind, title, inputsRef }: JsonObject,
  file: EntryFile,
  known: JsonObject,
) {
  const label = stringMember(file.text, 'label') ?? known.label ?? title ?? taskId;
  const named = { effectId, invocationKey, stepId, taskId, kind, label } as JsonObject;
  return { ...named, ...defined({ inputsRef }) };
}

function recordedAtOf({ text, ulid }: EntryFile, { requestedAt }: JsonObject, effectId: string): string {
  const time = Date.parse(stringMember(text, 'recordedAt') ?? String(requestedAt));
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  const named = [ulid, effectId].find(isUlid);
  return new Date(named === undefined ? 0 : timeOf(named)).toISOString();
}

/**
 * The place of a request: the torn file that names it, or else the place by the time in its id, or else before the
 * first entry about it.
 */
function placeOf(effectId: string, read: readonly ReadFile[], taken: ReadonlySet<EntryFile>): EntryFile | undefined {
  const isFree = ({ file, dated }: ReadFile) => !dated && !taken.has(file) && mayBeRequest(file);
  const named = read.find((one) => isFree(one) && stringMember(one.file.text, 'effectId') === effectId);
  if (named) return named.file;
  const about = read.findIndex(({ file, dated }) => isAbout(file, dated, effectId));
  const next = isUlid(effectId) ? read.findIndex(({ file }) => file.ulid > effectId) : -1;
  const at = read[next];
  const isInTime = next > 0 && (about < 0 || next <= about);
  if (at && isInTime && isFree(at) && stringMember(at.file.text, 'effectId') === undefined) return at.file;
  if (at && isInTime && at.file.seq > (read[next - 1]?.file.seq ?? 0) + 1) return placeAt(at.file.seq - 1, effectId);
  const first = read[isInTime ? next : about];
  return about > 0 && first ? placeAt(first.file.seq - 0.5, effectId) : undefined;
}

const mayBeRequest = ({ text }: EntryFile): boolean =>
  [undefined, 'EFFECT_REQUESTED'].includes(stringMember(text, 'type'));

function isAbout(file: EntryFile, dated: DatedDraft | undefined, effectId: string): boolean {
  if (!dated) return stringMember(file.text, 'effectId') === effectId && !mayBeRequest(file);
  return 'effectId' in dated.draft.data && dated.draft.data.effectId === effectId;
}

const placeAt = (seq: number, effectId: string): EntryFile => ({ seq, ulid: '', name: effectId, text: '' });
