import {
  canonicalJson,
  isObject,
  isReinsError,
  type JsonObject,
  type Problem,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import type { RunState } from '../state/run-state.ts';
import { assertVerified } from '../verify/verify-entries.ts';
import { makeDirectories, readIfThere } from './files.ts';
import {
  type EntryFile,
  parseEntryFile,
  readJournalFiles,
  strayProblems,
  toldByFile,
  wholeCommits,
  wrongRow,
} from './journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';
import { readLegacyRun } from './legacy/legacy-run.ts';
import { isLegacyJournal, restoreLegacyRunFile } from './legacy/legacy-run-file.ts';
import { entryIn } from './proof.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';
import { addressIn, isRunFileLost, restoreRunFile } from './run-file.ts';
import { blobProblems, foreignProblems, runIdProblems, viewProblem, viewProblems } from './verify-beside.ts';
import { stateView, writeSkeleton, writeStateView, writeViews } from './views.ts';

/** How the stored view of the state stands to the journal. */
export type Drift = 'none' | 'missing' | 'corrupt' | 'stale';

export interface RebuildResult {
  readonly drift: Drift;
  /** The view as it is, or would be. */
  readonly state: JsonObject;
  readonly rebuilt: boolean;
  /** What was missing or said something else than the journal, and is made again; run-relative. */
  readonly made: readonly string[];
  /** What is wrong still: nothing has any more what stood there. */
  readonly left: readonly string[];
}

/**
 * Makes `state/state.json` again from the journal; with `views`, all that is derived from it.
 * @throws ReinsError `journal_corrupt` when there is no whole journal to make it from
 */
export async function rebuildState(
  store: RunDirectoryStore,
  run: RunAddress,
  options: { readonly dryRun?: boolean; readonly views?: boolean } = {},
): Promise<RebuildResult> {
  return store.exclusively(run, options.dryRun ? undefined : 'rebuild-state', async () => {
    const paths = store.pathsOf(run);
    const files = (await readJournalFiles(paths.journal)) ?? [];
    const owner = addressIn(paths, files, run);
    const writer = isRunFileLost(paths) ? writerOf(files) : undefined;
    const entries = writer ? await entriesOf(writer, { files, paths, run: owner }) : (await store.load(run)).entries;
    if (entries.length === 0) throw new ReinsError(EMPTY);
    const ulid = files[entries.length - 1]?.ulid ?? '';
    const fold = foldRun(owner, entries);
    const state = stateView(fold, ulid) as JsonObject;
    const drift = driftOf(readIfThere(paths.stateFile), state);
    const runFile = writer ? ['run.json'] : [];
    const { stale, left: lost } = viewsBeside(paths, fold, entries, writer);
    const made = [...new Set([...(drift === 'none' ? [] : ['state/state.json']), ...runFile, ...stale])];
    if (options.dryRun) return { drift, state, rebuilt: false, made, left: lost };
    await makeDirectories([paths.state]);
    const label = `bak.${Date.now()}`;
    if (options.views && writer === 'reins') restoreRunFile(paths, owner, entries, label);
    if (options.views && writer === 'babysitter') restoreLegacyRunFile(paths, files, label);
    if (options.views && isOurs(paths)) {
      await writeSkeleton(paths);
      writeViews(paths, fold, entries);
    }
    writeStateView(paths, fold, ulid);
    if (!options.views)
      return { drift, state, rebuilt: true, made: made.filter((path) => path === 'state/state.json'), left: lost };
    const after = viewsBeside(paths, fold, entries);
    const left = [...after.stale, ...after.left];
    return { drift, state, rebuilt: true, made: made.filter((path) => !left.includes(path)), left };
  });
}

/** Who wrote a journal whose `run.json` does not say it. */
function writerOf(files: readonly EntryFile[]): 'reins' | 'babysitter' | undefined {
  if (files.some((file) => entryIn(file))) return 'reins';
  return isLegacyJournal(files) ? 'babysitter' : undefined;
}

interface Directory {
  readonly files: readonly EntryFile[];
  readonly paths: RunPaths;
  readonly run: RunAddress;
}

/** Of a journal whose `run.json` does not say whose it is. @throws ReinsError `journal_corrupt` */
async function entriesOf(writer: 'reins' | 'babysitter', { files, paths, run }: Directory): Promise<readonly Entry[]> {
  if (writer === 'babysitter') return readLegacyRun(paths, run, files);
  const wrong = wrongRow(files);
  if (wrong) throw new ReinsError(wrong);
  const entries = wholeCommits(files.map(parseEntryFile)).map(({ entry }) => entry);
  toldByFile(files, () => assertVerified(entries, run));
  return entries;
}

/** What is not as it should be beside a journal: what can be made from it, and of a babysitter's, whose tasks it only names, what cannot. */
function viewsBeside(
  paths: RunPaths,
  fold: RunState,
  entries: readonly Entry[],
  writer = isOurs(paths) ? 'reins' : 'babysitter',
): { readonly stale: readonly string[]; readonly left: readonly string[] } {
  if (writer === 'babysitter') return { stale: [], left: namesOf(foreignProblems(paths, fold)) };
  return { stale: namesOf(viewProblems(paths, fold, entries)), left: [] };
}

const namesOf = (problems: readonly Problem[]): string[] => problems.flatMap(({ path }) => path ?? []);

/** Of what is read without its `run.json` the entries were ours. */
function isOurs(paths: RunPaths): boolean {
  const text = readIfThere(paths.run);
  return text === undefined || text.includes(LAYOUT_VERSION);
}

/** @param text of the stored view */
function driftOf(text: string | undefined, state: JsonObject): Drift {
  if (text === undefined) return 'missing';
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(state) ? 'none' : 'stale';
  } catch {
    return 'corrupt';
  }
}

/**
 * Whether a run directory is what it claims to be: the journal itself, then what lies beside it and follows from it. Everything that
 * is wrong beside the journal can be made again; the journal cannot.
 */
export async function verifyRunDirectory(store: RunDirectoryStore, run: RunAddress): Promise<Problem[]> {
  return [...(await directoryProblems(store, run)), ...(await strayProblems(store.pathsOf(run).journal))];
}

async function directoryProblems(store: RunDirectoryStore, run: RunAddress): Promise<Problem[]> {
  const paths = store.pathsOf(run);
  // Before the journal: whoever goes on with the run meanwhile writes it after what it says.
  const stored = readIfThere(paths.stateFile);
  try {
    const { journal, files } = await store.read(run);
    const { entries } = journal;
    if (entries.length === 0 && readIfThere(paths.run) !== undefined) return [EMPTY];
    const fold = foldRun(run, entries);
    if (!isOurs(paths)) return foreignProblems(paths, fold);
    const drift = driftOf(stored, stateView(fold, files.at(-1)?.ulid ?? '') as JsonObject);
    const isRight = drift === 'none' || (drift === 'stale' && isBehind(stored, run, entries, files));
    const views = isRight ? [] : [viewProblem('state/state.json', `it is ${drift}`)];
    const beside = [...views, ...runIdProblems(paths, files[0]?.ulid ?? ''), ...viewProblems(paths, fold, entries)];
    return [...blobProblems(paths, entries), ...beside];
  } catch (error) {
    if (isReinsError(error)) return [...error.problems];
    throw error;
  }
}

/** It is what followed from the journal up to an earlier entry: whoever goes on with the run, or was killed at it, had not written it yet. */
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
  message: 'the journal has no entry, and run.json says that there is a run',
  path: 'journal',
  hint: 'see what run:repair-journal would do',
};
