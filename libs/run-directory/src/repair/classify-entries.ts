import {
  isObject,
  type JsonObject,
  type Problem,
  type ProcessRef,
  problemsOfEntry,
  type RunAddress,
} from '@reins/contracts';
import {
  applyDraftOrReason,
  type DatedDraft,
  type Entry,
  type EntryDraft,
  effectsWithoutRequest,
  emptyRun,
  type RunState,
} from '@reins/journal';
import { LegacyFiles } from '../legacy/legacy-files.ts';
import { InvocationKeysSeen, translateFile } from '../legacy/legacy-run.ts';
import { lostLegacyEntries, type ReadFile } from '../legacy/lost-entries.ts';
import {
  completeCommits,
  corruptFile,
  type EntryFile,
  isOwn,
  isOwnEntry,
  isProblem,
  jsonOf,
  readableEntry,
  type StoredEntry,
  withoutFileName,
} from '../store/journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { stateHead } from '../store/state-head.ts';
import { metadataOf } from '../views/views.ts';
import { EntryRecovery, type MissingData, type RecoveredEntry } from './entry-recovery.ts';
import { effectIdsWithFolder } from './file-drafts.ts';
import { NOTHING_RECOVERED, recoverFirstEntry } from './first-entry.ts';
import type { Dropped, KeptEntry } from './kept-entry.ts';
import { draftOf } from './proof.ts';
import type { RecoveredDraft } from './recover-lost-journal.ts';
import { processIdOf } from './start-candidates.ts';

/**
 * Reads and recovers entries, and keeps those that are valid at their place.
 * @param process the process of the first entry, if no file describes it
 */
export function classifyEntries(
  files: readonly EntryFile[],
  paths: RunPaths,
  run: RunAddress,
  process?: ProcessRef,
): ClassifiedEntries {
  const dropped: Dropped[] = [];
  const readable = readableEntries(files, paths, run, dropped);
  const finished = withoutUnfinished(readable, dropped, stateHead(paths)?.version ?? 0);
  const isLegacy = finished.some(({ file, recovered }) => !recovered && !isOwn(file));
  const state = emptyRun(run);
  const seen = new InvocationKeysSeen();
  const hasFirstEntry = finished[0]?.draft.type === 'RUN_CREATED';
  const { recoveredDrafts: made, lostData } = hasFirstEntry
    ? NOTHING_RECOVERED
    : recoverFirstEntry(finished, paths, run, process);
  const recoveredDrafts = made.filter((one) => applyDraftOrReason(state, one) === undefined);
  const kept = finished.filter((one) => {
    const why = isLegacy ? applyLegacyDraftOrReason(state, one, seen) : applyDraftOrReason(state, one);
    if (why !== undefined) dropped.push({ name: one.file.name, why, type: one.draft.type });
    return why === undefined;
  });
  const missing = [
    ...lostData,
    ...kept.flatMap(({ recovered }) => recovered?.missingData ?? []),
    ...(recoveredDrafts.length > 0 || hasFirstEntry ? lostRequests(finished, kept, paths) : []),
    ...(dropped.length > 0 && kept.length > 0 ? lostProcess(state, paths) : []),
  ];
  return { kept, dropped, isLegacy, recoveredDrafts, missing };
}

/** All entries that can be read or recovered, in journal order. */
function readableEntries(
  files: readonly EntryFile[],
  paths: RunPaths,
  run: RunAddress,
  dropped: Dropped[],
): KeptEntry[] {
  const legacyFiles = new LegacyFiles(paths.root);
  const recovery = files.some(isOwn) ? new EntryRecovery(files, paths, run) : undefined;
  const readable: KeptEntry[] = [];
  const read: ReadFile[] = [];
  for (const file of files) {
    const dated = recovery ? ownDraft(file) : translateFile(file, legacyFiles, run);
    read.push({ file, dated: 'code' in dated ? undefined : dated });
    if (!('code' in dated)) {
      readable.push(recovery ? readOwn(recovery, file) : { ...dated, file });
      continue;
    }
    dropped.push({ name: file.name, why: withoutFileName(dated.message, file) });
    const recovered = recovery?.recoverLost(file.seq);
    if (recovered) readable.push(lostEntry(file, recovered));
  }
  for (const seq of recovery?.gaps() ?? []) {
    const recovered = recovery?.recoverLost(seq);
    if (recovered) readable.push(lostEntry({ seq, ulid: '', name: `${seq}`, text: '' }, recovered));
  }
  for (const { draft, recordedAt, file, from } of recovery ? [] : lostLegacyEntries(read, paths, run))
    readable.push({ draft, recordedAt, file, recovered: { draft, recordedAt, from, isProven: false }, isLost: true });
  return readable.sort((a, b) => a.file.seq - b.file.seq);
}

/** A recovered start of the process decides what runs, and with which inputs. */
const lostEntry = (file: EntryFile, recovered: RecoveredEntry): KeptEntry => ({
  ...recovered,
  file,
  recovered,
  isLost: true,
  isUnproven: !recovered.isProven && recovered.draft.type === 'PROCESS_ASSIGNED',
});

/** Reports a process in `run.json` that no remaining entry starts. */
function lostProcess({ process }: RunState, paths: RunPaths): MissingData[] {
  const { entrypoint, migratedFrom, layoutVersion } = metadataOf(paths);
  if (!isObject(entrypoint) || migratedFrom !== undefined || layoutVersion !== LAYOUT_VERSION) return [];
  const id = processIdOf(entrypoint as JsonObject);
  if (id === process.id) return [];
  const why = `the start of the process ${id}, which run.json names, is lost: the run continues with process ${process.id}`;
  return [{ why, path: 'journal' }];
}

/** The process requests these effects again, and then diverges from the entries that follow. */
function lostRequests(finished: readonly KeptEntry[], kept: readonly KeptEntry[], paths: RunPaths): MissingData[] {
  const withFolder = new Set(effectIdsWithFolder(paths));
  return effectsWithoutRequest(finished, kept).map((effectId) => {
    const path = `tasks/${effectId}`;
    const why = withFolder.has(effectId)
      ? `and ${path}/task.json does not have enough data to rebuild it`
      : 'and no other file has it (steps have no files)';
    const then = 'its process may not be able to continue (replay_nondeterminism)';
    return {
      why: `the request of effect ${effectId} is lost, ${why}: ${then}`,
      path: withFolder.has(effectId) ? path : 'journal',
    };
  });
}

export interface ClassifiedEntries {
  readonly kept: readonly KeptEntry[];
  readonly dropped: readonly Dropped[];
  /** The recovered first entry; all recovered entries, if the journal has none left. */
  readonly recoveredDrafts: readonly RecoveredDraft[];
  /** The data that the run loses. */
  readonly missing: readonly MissingData[];
  /** At least partly written by babysitter: the run can end more than once, and sleeps end without an entry. */
  readonly isLegacy: boolean;
}

/** A babysitter journal may contain sequences of entries that Reins does not write. `normalise` translates them. */
function applyLegacyDraftOrReason(state: RunState, one: DatedDraft, seen: InvocationKeysSeen): string | undefined {
  if (isEnd(one.draft) || one.draft.type === 'EFFECT_PROGRESS') return undefined;
  return seen.isDuplicate(one) ? 'its invocation key was already requested' : applyDraftOrReason(state, one);
}

const isEnd = ({ type }: EntryDraft): boolean =>
  type === 'RUN_COMPLETED' || type === 'RUN_FAILED' || type === 'RUN_HALTED';

/** @returns the draft in a file of Reins, or the problem of the file */
function ownDraft(file: EntryFile): DatedDraft | Problem {
  const entry = readableEntry(file);
  if (!entry) {
    const value = jsonOf(file);
    return isProblem(value) ? value : corruptFile(file, 'it is not an entry');
  }
  const [problem] = problemsOfEntry(entry.type, entry.data);
  return problem ?? draftOf(entry, file.name);
}

function readOwn(recovery: EntryRecovery, file: EntryFile): KeptEntry {
  const entry = readableEntry(file) as Entry;
  const { isProven, ...read } = recovery.recoverReadable(file, entry);
  return { ...read, file, isUnproven: !isProven };
}

/**
 * Drops the rest of a commit that a crash cut short. It was never acknowledged.
 * @param head the last entry in the stored state: it is written after a commit, so its commit was complete
 */
function withoutUnfinished(readable: readonly KeptEntry[], dropped: Dropped[], head: number): readonly KeptEntry[] {
  const last = readable.at(-1);
  const value = last && jsonOf(last.file);
  if (!value || isProblem(value) || !isOwnEntry(value)) return readable;
  const stored = readable.map(({ file }) => {
    const read = jsonOf(file);
    const { commit, ...entry } = (isProblem(read) ? { version: file.seq } : read) as Partial<StoredEntry> & Entry;
    return { entry, commit: commit ?? { first: file.seq, last: file.seq } };
  });
  if ((stored.at(-1)?.commit.first ?? 0) <= head) return readable;
  const whole = completeCommits(stored).length;
  for (const { file } of readable.slice(whole)) dropped.push({ name: file.name, why: 'its commit is incomplete' });
  return readable.slice(0, whole);
}
