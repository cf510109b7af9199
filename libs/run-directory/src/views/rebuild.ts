import { lstatSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import {
  canonicalJson,
  isObject,
  isReinsError,
  type JsonObject,
  type Problem,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import { assertVerified, type Entry, foldRun, type RunState } from '@reins/journal';
import { readLegacyRun } from '../legacy/legacy-run.ts';
import { isLegacyJournal, restoreLegacyRunFile } from '../legacy/legacy-run-file.ts';
import { isNote } from '../repair/lost-notes.ts';
import { draftOf } from '../repair/proof.ts';
import { changedEntry, misnamedFiles } from '../store/changed-entry.ts';
import { makeDirectories, notAFile, readIfExists } from '../store/files.ts';
import {
  completeCommits,
  corruptFile,
  type EntryFile,
  parseEntryFile,
  readableEntry,
  readJournalFiles,
  sequenceProblem,
  strayProblems,
  withFileNames,
} from '../store/journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from '../store/layout.ts';
import { linkProblems } from '../store/links.ts';
import type { RunDirectoryStore } from '../store/run-directory-store.ts';
import { stateHead } from '../store/state-head.ts';
import { codeProblems } from '../values/kept-code.ts';
import { addressIn, isRunFileLost, restoreRunFile } from './run-file.ts';
import { blobProblems, legacyFileProblems, runIdProblems, viewProblem, viewProblems } from './verify-views.ts';
import { stateView, writeSkeleton, writeStateView, writeViews } from './views.ts';

/** How the stored state compares with the journal. */
export type Drift = 'none' | 'missing' | 'corrupt' | 'stale';

export interface RebuildResult {
  readonly drift: Drift;
  /** The state view as it is, or as it would be after the rebuild. */
  readonly state: JsonObject;
  readonly rebuilt: boolean;
  /** Run-relative paths of files that were missing or differed from the journal and are written again. */
  readonly made: readonly string[];
  /** Problems that cannot be fixed, because no copy of the data is left. */
  readonly left: readonly string[];
}

/**
 * Rebuilds `state/state.json` from the journal; with `views`, all derived files.
 * @throws ReinsError `journal_corrupt` when the journal is not valid
 */
export async function rebuildState(
  store: RunDirectoryStore,
  run: RunAddress,
  options: { readonly dryRun?: boolean; readonly views?: boolean } = {},
): Promise<RebuildResult> {
  return store.exclusively(run, options.dryRun ? undefined : 'rebuild-state', async () => {
    const paths = store.pathsOf(run);
    const files = (await readJournalFiles(paths.journal)) ?? [];
    const changed = changedEntryProblem(paths, files);
    if (changed && changed.hint !== NOTE_HINT) throw new ReinsError(changed);
    const owner = addressIn(paths, files, run);
    const writer = isRunFileLost(paths) ? writerOf(files) : undefined;
    const entries = writer ? await entriesOf(writer, { files, paths, run: owner }) : (await store.load(run)).entries;
    if (entries.length === 0) throw new ReinsError(EMPTY);
    const ulid = files[entries.length - 1]?.ulid ?? '';
    const fold = foldRun(owner, entries);
    const state = stateView(fold, ulid) as JsonObject;
    const drift = notAFile(paths.stateFile) ? 'corrupt' : driftOf(readIfExists(paths.stateFile), state);
    const runFile = writer ? ['run.json'] : [];
    const { stale, left: unfixable } = viewStates(paths, fold, entries, writer);
    const made = [...new Set([...(drift === 'none' ? [] : ['state/state.json']), ...runFile, ...stale])];
    if (options.dryRun) return { drift, state, rebuilt: false, made, left: unfixable };
    await makeDirectories([paths.state]);
    const label = `bak.${Date.now()}`;
    await moveFoldersAside(paths, options.views ? made : ['state/state.json'], label);
    if (options.views && writer === 'reins') restoreRunFile(paths, owner, entries, label);
    if (options.views && writer === 'babysitter') restoreLegacyRunFile(paths, files, label);
    if (options.views && isWrittenByReins(paths)) {
      await writeSkeleton(paths);
      writeViews(paths, fold, entries);
    }
    writeStateView(paths, fold, ulid);
    if (!options.views)
      return { drift, state, rebuilt: true, made: made.filter((path) => path === 'state/state.json'), left: unfixable };
    const after = viewStates(paths, fold, entries);
    const left = [...after.stale, ...after.left];
    return { drift, state, rebuilt: true, made: made.filter((path) => !left.includes(path)), left };
  });
}

/** Moves folders that have the name of a file to `orphaned/`. */
async function moveFoldersAside(paths: RunPaths, files: readonly string[], label: string): Promise<void> {
  const folders = files.filter((name) => lstatSync(join(paths.root, name), { throwIfNoEntry: false })?.isDirectory());
  if (folders.length === 0) return;
  await makeDirectories([paths.orphaned]);
  for (const name of folders)
    await rename(join(paths.root, name), join(paths.orphaned, `${name.replaceAll('/', '.')}.${label}`));
}

/** Who wrote a journal without a usable `run.json`. */
function writerOf(files: readonly EntryFile[]): 'reins' | 'babysitter' | undefined {
  if (files.some((file) => readableEntry(file))) return 'reins';
  return isLegacyJournal(files) ? 'babysitter' : undefined;
}

interface Directory {
  readonly files: readonly EntryFile[];
  readonly paths: RunPaths;
  readonly run: RunAddress;
}

/** Reads a journal without a usable `run.json`. @throws ReinsError `journal_corrupt` */
async function entriesOf(writer: 'reins' | 'babysitter', { files, paths, run }: Directory): Promise<readonly Entry[]> {
  if (writer === 'babysitter') return readLegacyRun(paths, run, files);
  const problem = sequenceProblem(files);
  if (problem) throw new ReinsError(problem);
  const entries = completeCommits(files.map(parseEntryFile)).map(({ entry }) => entry);
  withFileNames(files, () => assertVerified(entries, run));
  return entries;
}

/**
 * Finds derived files that differ from the journal and can be rebuilt (`stale`). Babysitter's journal only names its
 * tasks, so their files cannot (`left`).
 */
function viewStates(
  paths: RunPaths,
  fold: RunState,
  entries: readonly Entry[],
  writer = isWrittenByReins(paths) ? 'reins' : 'babysitter',
): { readonly stale: readonly string[]; readonly left: readonly string[] } {
  if (writer === 'babysitter') return { stale: [], left: namesOf(legacyFileProblems(paths, fold)) };
  return { stale: namesOf(viewProblems(paths, fold, entries)), left: [] };
}

const namesOf = (problems: readonly Problem[]): string[] => problems.flatMap(({ path }) => path ?? []);

/** A directory without `run.json` gets here only if Reins wrote its entries. */
function isWrittenByReins(paths: RunPaths): boolean {
  const text = readIfExists(paths.run);
  return text === undefined || text.includes(LAYOUT_VERSION);
}

/** @param text the stored state */
function driftOf(text: string | undefined, state: JsonObject): Drift {
  if (text === undefined) return 'missing';
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(state) ? 'none' : 'stale';
  } catch {
    return 'corrupt';
  }
}

/**
 * Verifies a run directory: its journal, then the files derived from it. Derived files can be rebuilt; the journal
 * cannot.
 */
export async function verifyRunDirectory(store: RunDirectoryStore, run: RunAddress): Promise<Problem[]> {
  const paths = store.pathsOf(run);
  const links = linkProblems(paths);
  if (links.length > 0) return links;
  return [...(await directoryProblems(store, run)), ...(await strayProblems(paths.journal))];
}

async function directoryProblems(store: RunDirectoryStore, run: RunAddress): Promise<Problem[]> {
  const paths = store.pathsOf(run);
  // Read before the journal, because a running owner writes it after the journal.
  const isStateFile = notAFile(paths.stateFile) === undefined;
  const stored = isStateFile ? readIfExists(paths.stateFile) : undefined;
  try {
    const { journal, files } = await store.read(run);
    const { entries } = journal;
    if (entries.length === 0 && readIfExists(paths.run) !== undefined) return [EMPTY];
    const changed = changedEntryProblem(paths, files);
    if (changed) return [changed];
    const misnamed = misnamedFiles(files).map((file) => corruptFile(file, MISNAMED));
    if (misnamed.length > 0) return misnamed;
    const fold = foldRun(run, entries);
    if (!isWrittenByReins(paths)) return [...legacyFileProblems(paths, fold), ...codeProblems(paths, entries)];
    const drift = driftOf(stored, stateView(fold, files.at(-1)?.ulid ?? '') as JsonObject);
    const isRight = drift === 'none' || (drift === 'stale' && isBehind(stored, run, entries, files));
    const views = isRight ? [] : [viewProblem('state/state.json', `it is ${drift}`)];
    const viewIssues = [...views, ...runIdProblems(paths, files[0]?.ulid ?? ''), ...viewProblems(paths, fold, entries)];
    return [...blobProblems(paths, entries), ...viewIssues, ...codeProblems(paths, entries)];
  } catch (error) {
    if (isReinsError(error)) return [...error.problems];
    throw error;
  }
}

/** The problem of an entry that was changed together with its hash. Rebuilt files would hide it. */
function changedEntryProblem(paths: RunPaths, files: readonly EntryFile[]): Problem | undefined {
  const version = changedEntry(files, stateHead(paths));
  const file = files.find(({ seq }) => seq === version);
  const entry = file && readableEntry(file);
  return entry && { ...corruptFile(file, CHANGED), hint: isNote(draftOf(entry, '').draft) ? NOTE_HINT : CHANGED_HINT };
}

const MISNAMED = 'its name does not follow from the previous entry: the name was changed';
const CHANGED = 'it was changed after it was written: state/state.json has another hash of the journal';
const CHANGED_HINT =
  'Restore the entry from a copy, or use run:repair-journal, which restores it or names the entry to accept.';
/** For a note: the run does not depend on it. */
const NOTE_HINT = 'Restore the entry from a copy, or keep its content with run:rebuild-state.';

/** Whether the stored state is that of an earlier entry. The owner writes it later, or was killed before it did. */
function isBehind(
  stored: string | undefined,
  run: RunAddress,
  entries: readonly Entry[],
  files: readonly EntryFile[],
): boolean {
  const view: unknown = JSON.parse(stored ?? 'null');
  const head: unknown = isObject(view) ? view.journalHead : undefined;
  const at = files.findIndex(({ ulid }) => isObject(head) && ulid === head.ulid);
  if (at < 0) return false;
  const then = stateView(foldRun(run, entries.slice(0, at + 1)), files[at]?.ulid ?? '');
  return canonicalJson(view as JsonObject) === canonicalJson(then as JsonObject);
}

const EMPTY: Problem = {
  code: 'journal_corrupt',
  message: 'the journal has no entries, but run.json describes a run',
  path: 'journal',
  hint: 'Preview a repair with run:repair-journal --dry-run.',
};
