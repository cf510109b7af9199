import { canonicalJson, isReinsError, type JsonObject, type Problem, type RunAddress } from '@reins/contracts';
import { foldRun } from '../state/apply-entry.ts';
import { makeDirectories, readIfThere } from './files.ts';
import { readJournalFiles } from './journal-files.ts';
import { LAYOUT_VERSION, type RunPaths } from './layout.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';
import { blobProblems, foreignProblems, runIdProblems, viewProblem, viewProblems } from './verify-beside.ts';
import { stateView, writeSkeleton, writeStateView, writeViews } from './views.ts';

/** How the stored view of the state stands to the journal. */
export type Drift = 'none' | 'missing' | 'corrupt' | 'stale';

export interface RebuildResult {
  readonly drift: Drift;
  /** The view as it is, or would be. */
  readonly state: JsonObject;
  readonly rebuilt: boolean;
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
  return store.exclusively(run, 'rebuild-state', async () => {
    const paths = store.pathsOf(run);
    const { entries } = await store.load(run);
    const { last: ulid } = await ulidsOf(paths);
    const fold = foldRun(run, entries);
    const state = stateView(fold, ulid) as JsonObject;
    const drift = driftOf(paths, state);
    if (options.dryRun) return { drift, state, rebuilt: false };
    await makeDirectories([paths.state]);
    if (options.views && isOurs(paths)) {
      await writeSkeleton(paths);
      writeViews(paths, fold, entries);
    }
    writeStateView(paths, fold, ulid);
    return { drift, state, rebuilt: true };
  });
}

/** Of what is read without its `run.json` the entries were ours. */
function isOurs(paths: RunPaths): boolean {
  const text = readIfThere(paths.run);
  return text === undefined || text.includes(LAYOUT_VERSION);
}

/** In the names of the first and the last entry. */
async function ulidsOf(paths: RunPaths): Promise<{ readonly first: string; readonly last: string }> {
  const files = (await readJournalFiles(paths.journal)) ?? [];
  return { first: files[0]?.ulid ?? '', last: files.at(-1)?.ulid ?? '' };
}

function driftOf(paths: RunPaths, state: JsonObject): Drift {
  const text = readIfThere(paths.stateFile);
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
  const paths = store.pathsOf(run);
  try {
    const { entries } = await store.load(run);
    if (entries.length === 0 && readIfThere(paths.run) !== undefined) return [EMPTY];
    const fold = foldRun(run, entries);
    if (!isOurs(paths)) return foreignProblems(paths, fold);
    const { first, last } = await ulidsOf(paths);
    const state = stateView(fold, last) as JsonObject;
    const drift = driftOf(paths, state);
    const views = drift === 'none' ? [] : [viewProblem('state/state.json', `it is ${drift}`)];
    const beside = [...views, ...runIdProblems(paths, first), ...viewProblems(paths, fold)];
    return [...(await blobProblems(paths, entries)), ...beside];
  } catch (error) {
    if (isReinsError(error)) return [...error.problems];
    throw error;
  }
}

const EMPTY: Problem = {
  code: 'journal_corrupt',
  message: 'the journal has no entry, and run.json says that there is a run',
  path: 'journal',
};
