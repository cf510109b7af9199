import { isObject, type JsonObject, problemsOfEntry, type RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import { applyDraftOrReason, type DatedDraft, effectsWithoutRequest } from '../verify/apply-draft.ts';
import { EntryRecovery, type MissingData, type RecoveredEntry } from './entry-recovery.ts';
import { effectIdsWithFolder } from './file-drafts.ts';
import {
  completeCommits,
  corruptFile,
  type EntryFile,
  isOwnEntry,
  isProblem,
  jsonOf,
  type StoredEntry,
} from './journal-files.ts';
import { LAYOUT_VERSION, numberOf, type RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { InvocationKeysSeen, translateFile } from './legacy/legacy-run.ts';
import { lostLegacyEntries, type ReadFile } from './legacy/lost-entries.ts';
import { type ReconstructedEntry, reconstructJournal } from './reconstruct-journal.ts';
import { firstEntryFromMetadata } from './rescue.ts';
import { processIdOf, startCandidates } from './start-candidates.ts';
import { metadataOf } from './views.ts';

export interface Dropped {
  readonly name: string;
  readonly why: string;
  /** Set for an entry that can be read but is not valid at its place; absent when the file cannot be read. */
  readonly type?: string;
}

/** An entry that the repair keeps, and the file whose place it has. */
export interface KeptEntry extends DatedDraft {
  readonly file: EntryFile;
  /** Set when the entry was recovered from other files of the run directory. */
  readonly recovered?: RecoveredEntry;
  /** The entry's own file is missing or cannot be read. */
  readonly isLost?: boolean;
}

/** Reads and recovers entries, and keeps those that are valid at their place. */
export function classifyEntries(files: readonly EntryFile[], paths: RunPaths, run: RunAddress): ClassifiedEntries {
  const dropped: Dropped[] = [];
  const readable = readableEntries(files, paths, run, dropped);
  const finished = withoutUnfinished(readable, dropped);
  const isLegacy = finished.some(({ file, recovered }) => !recovered && !isOwn(file));
  const state = emptyRun(run);
  const seen = new InvocationKeysSeen();
  const hasFirstEntry = finished[0]?.draft.type === 'RUN_CREATED';
  const { reconstructed: made, lostData } = hasFirstEntry ? NOTHING_RECOVERED : recoverFirstEntry(finished, paths, run);
  const reconstructed = made.filter((one) => applyDraftOrReason(state, one) === undefined);
  const kept = finished.filter((one) => {
    const why = isLegacy ? applyLegacyDraftOrReason(state, one, seen) : applyDraftOrReason(state, one);
    if (why !== undefined) dropped.push({ name: one.file.name, why, type: one.draft.type });
    return why === undefined;
  });
  const missing = [
    ...lostData,
    ...kept.flatMap(({ recovered }) => recovered?.missingData ?? []),
    ...(reconstructed.length > 0 || hasFirstEntry ? lostRequests(finished, kept, paths) : []),
    ...(dropped.length > 0 && kept.length > 0 ? lostProcess(state, paths) : []),
  ];
  return { kept, dropped, isLegacy, reconstructed, missing };
}

/** All entries that can be read or recovered, in journal order. */
function readableEntries(
  files: readonly EntryFile[],
  paths: RunPaths,
  run: RunAddress,
  dropped: Dropped[],
): KeptEntry[] {
  const legacyFiles = new LegacyFiles(paths.root);
  const isOurs = files.some(isOwn);
  const recovery = isOurs ? new EntryRecovery(files, paths, run) : undefined;
  const readable: KeptEntry[] = [];
  const read: ReadFile[] = [];
  for (const file of files) {
    const dated = isOurs && hasNoType(file) ? corruptFile(file, 'it is not an entry') : datedOf(file, legacyFiles, run);
    read.push({ file, dated: 'code' in dated ? undefined : dated });
    const recovered =
      'code' in dated || !isOwn(file) ? recovery?.recoverLost(file.seq) : recovery?.recoverAltered(file);
    if ('code' in dated) dropped.push({ name: file.name, why: withoutFileName(dated.message, file) });
    if (recovered) readable.push({ ...recovered, file, recovered, isLost: 'code' in dated || !isOwn(file) });
    else if (!('code' in dated)) readable.push({ ...dated, file });
  }
  for (const seq of recovery?.gaps() ?? []) {
    const recovered = recovery?.recoverLost(seq);
    if (recovered)
      readable.push({ ...recovered, file: { seq, ulid: '', name: `${seq}`, text: '' }, recovered, isLost: true });
  }
  for (const { draft, recordedAt, file, from } of recovery ? [] : lostLegacyEntries(read, paths, run))
    readable.push({ draft, recordedAt, file, recovered: { draft, recordedAt, from, isProven: false }, isLost: true });
  return readable.sort((a, b) => a.file.seq - b.file.seq);
}

interface FirstEntryRecovery {
  readonly reconstructed: readonly ReconstructedEntry[];
  /** The data of the first entry that is lost. */
  readonly lostData: readonly MissingData[];
}

const UNPROVEN_FIRST_ENTRY: MissingData = {
  why: 'the first entry was rebuilt from run.json and inputs.json, and does not match the recorded hash: data that they do not contain, such as the run that it was forked from, is lost',
};

const OVERWRITTEN_INPUTS: MissingData = {
  why: 'the first entry was rebuilt from run.json, and its inputs are lost because inputs.json belongs to a later start: the run continues from that start, but nothing before it can be replayed',
  path: `journal/${numberOf(1)}`,
};

const NO_ENTRY: MissingData = {
  why: 'the journal has no entry left: requests and answers were rebuilt from run.json and tasks/, but entries without a file, such as steps and signals, are lost, and the process may not be able to continue (replay_nondeterminism)',
  path: 'journal',
};

const NOTHING_LEFT: MissingData = {
  why: 'the journal has no entry left, and run.json does not describe the run',
  path: 'journal',
};

const NOTHING_RECOVERED: FirstEntryRecovery = { reconstructed: [], lostData: [] };

/**
 * Recovers the first entry from `run.json` and `inputs.json`. Data that a later start of the process overwrote is left
 * empty.
 */
function recoverFirstEntry(finished: readonly KeptEntry[], paths: RunPaths, run: RunAddress): FirstEntryRecovery {
  if (finished.length === 0) {
    const reconstructed = reconstructJournal(paths, run);
    return { reconstructed, lostData: [reconstructed.length > 0 ? NO_ENTRY : NOTHING_LEFT] };
  }
  const entries = finished.map(({ draft, file, recordedAt }) => ({ ...draft, version: file.seq, recordedAt }) as Entry);
  const { drafts, isOverwritten } = startCandidates(1, entries, paths, run);
  const [own] = drafts;
  const dated = own?.recordedAt === undefined ? undefined : { draft: own.draft, recordedAt: own.recordedAt };
  const found = dated ?? firstEntryFromMetadata(metadataOf(paths), new LegacyFiles(paths.root), run);
  if (!found) return NOTHING_RECOVERED;
  const unproven = dated ? [UNPROVEN_FIRST_ENTRY] : [];
  return {
    reconstructed: [{ ...found, from: 'run.json' }],
    lostData: dated && isOverwritten ? [OVERWRITTEN_INPUTS] : unproven,
  };
}

/** Reports a process in `run.json` that no remaining entry starts. */
function lostProcess({ process }: RunState, paths: RunPaths): MissingData[] {
  const { entrypoint, migratedFrom, layoutVersion } = metadataOf(paths);
  if (!isObject(entrypoint) || migratedFrom !== undefined || layoutVersion !== LAYOUT_VERSION) return [];
  const id = processIdOf(entrypoint as JsonObject);
  if (id === process.id) return [];
  const why = `the start of the process ${id}, which run.json names, is lost: the run is back at the process ${process.id}`;
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
  readonly reconstructed: readonly ReconstructedEntry[];
  /** The data that the run loses. */
  readonly missing: readonly MissingData[];
  /** At least partly written by babysitter: the run can end more than once, and sleeps end without an entry. */
  readonly isLegacy: boolean;
}

/** Whether Reins wrote the file. */
export function isOwn(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value);
}

/** A babysitter journal may have more kinds of sequences, which `normalise` translates. */
function applyLegacyDraftOrReason(state: RunState, one: DatedDraft, seen: InvocationKeysSeen): string | undefined {
  if (isEnd(one.draft) || one.draft.type === 'EFFECT_PROGRESS') return undefined;
  return seen.isDuplicate(one) ? 'its invocation key was already requested' : applyDraftOrReason(state, one);
}

const isEnd = ({ type }: EntryDraft): boolean =>
  type === 'RUN_COMPLETED' || type === 'RUN_FAILED' || type === 'RUN_HALTED';

/** Removes the file name from a message. */
export const withoutFileName = (message: string, { name }: EntryFile): string =>
  message.replace(`journal/${name}: `, '');

/** A babysitter event may lack a type, but an entry of Reins may not. */
function hasNoType(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && typeof value.type !== 'string';
}

/** @returns the draft in a file of either format, or the problem of the file */
function datedOf(file: EntryFile, legacyFiles: LegacyFiles, run: RunAddress): ReturnType<typeof translateFile> {
  const value = jsonOf(file);
  if (isProblem(value)) return value;
  if (!isOwnEntry(value)) return translateFile(file, legacyFiles, run);
  const { type, data, recordedAt } = value as unknown as StoredEntry['entry'];
  const [problem] = problemsOfEntry(type, data);
  return problem ?? { draft: { type, data } as EntryDraft, recordedAt };
}

/** Drops the rest of a commit that a crash cut short. It was never acknowledged. */
function withoutUnfinished(readable: readonly KeptEntry[], dropped: Dropped[]): readonly KeptEntry[] {
  const last = readable.at(-1);
  const value = last && jsonOf(last.file);
  if (!value || isProblem(value) || !isOwnEntry(value)) return readable;
  const stored = readable.map(({ file }) => {
    const read = jsonOf(file);
    const { commit, ...entry } = (isProblem(read) ? { version: file.seq } : read) as Partial<StoredEntry> & Entry;
    return { entry, commit: commit ?? { first: file.seq, last: file.seq } };
  });
  const whole = completeCommits(stored).length;
  for (const { file } of readable.slice(whole)) dropped.push({ name: file.name, why: 'its commit is incomplete' });
  return readable.slice(0, whole);
}
