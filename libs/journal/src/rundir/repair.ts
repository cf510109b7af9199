import { type Problem, problemOf, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, hashEntry } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import type { RunState } from '../state/run-state.ts';
import {
  type ClassifiedEntries,
  classifyEntries,
  type Dropped,
  isOwn,
  type KeptEntry,
  withoutFileName,
} from './classify-entries.ts';
import type { MissingData } from './entry-recovery.ts';
import {
  commitMismatchAt,
  type EntryFile,
  isOwnEntry,
  isProblem,
  jsonOf,
  parseEntryFile,
  readJournalFiles,
  type StoredEntry,
  sequenceProblem,
} from './journal-files.ts';
import { numberOf, type RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { checksumProblem, installJournal, sealDatedDrafts } from './legacy/legacy-run.ts';
import { isLegacyJournal, restoreLegacyRunFile } from './legacy/legacy-run-file.ts';
import { normalise } from './legacy/normalise.ts';
import { answeredAt, lostAnswers, lostUnknown } from './lost-answers.ts';
import { lostMarks } from './lost-marks.ts';
import { type FoundValue, foundValues } from './lost-values.ts';
import { stateHead } from './proof.ts';
import type { ReconstructedEntry } from './reconstruct-journal.ts';
import { type Rescued, withResultsFromFiles } from './rescue.ts';
import { RunBlobs } from './run-blobs.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';
import { addressIn, isRunFileLost } from './run-file.ts';
import { recoverSwap } from './swap-journal.ts';
import { blobProblems, legacyFileProblems } from './verify-views.ts';

/** What a repair does or, in a dry run, would do. */
export interface RepairPlan {
  /** How many files the journal has. */
  readonly files: number;
  /** How many entries it has after the repair. */
  readonly entries: number;
  /** Files whose content is not kept, and why. */
  readonly dropped: readonly Dropped[];
  /** Files that were altered, but are readable and valid at their place. They are kept as they are. */
  readonly suspicious: readonly { readonly name: string; readonly why: string }[];
  /** Entries recovered from other files: requests and results whose entry was torn or lost, and the first entry. */
  readonly rescued: readonly Rescued[];
  /** Lost blobs that other files still have: the file, and the path of the restored blob. */
  readonly restored: readonly Omit<FoundValue, 'value'>[];
  /** Run-relative paths of what is lost for good: blobs, and entries that the run depends on. */
  readonly lost: readonly string[];
  /** What the run loses, as sentences. */
  readonly warnings: readonly string[];
  /** Nothing is wrong: the journal would stay as it is, and everything that it references exists. */
  readonly whole: boolean;
}

export interface RepairResult extends RepairPlan {
  /** Path of the previous journal; absent when nothing was changed. */
  readonly backup?: string;
}

/**
 * Repairs a corrupted journal and keeps as much of it as possible. Drops torn files, duplicate requests and results,
 * and results of unknown effects, each with a reason. Numbers and chains the remaining entries again, and adds results
 * that are intact in other files. Keeps the old journal; a crash leaves the old or the new one.
 * @param options `dryRun` reports the changes without making them
 */
export async function repairJournal(
  store: RunDirectoryStore,
  run: RunAddress,
  options: RepairOptions = {},
): Promise<RepairResult> {
  const paths = store.pathsOf(run);
  if (options.dryRun) return repair(paths, run, options);
  return store.exclusively(run, 'repair-journal', async () => {
    await recoverSwap(paths);
    const result = await repair(paths, run, options);
    store.forget(run);
    return result;
  });
}

export interface RepairOptions {
  readonly dryRun?: boolean;
  readonly now?: () => Date;
}

async function repair(paths: RunPaths, given: RunAddress, options: RepairOptions): Promise<RepairResult> {
  const files = (await readJournalFiles(paths.journal)) ?? [];
  const run = addressIn(paths, files, given);
  const classified = classifyEntries(files, paths, run);
  const { kept, dropped, isLegacy, reconstructed } = classified;
  const suspicious = [...kept.flatMap((one) => suspicionOf(one) ?? []), ...commitMismatches(kept)];
  const readable = [...reconstructed, ...kept];
  const valid = isLegacy ? normalise(readable) : readable;
  const now = options.now?.() ?? new Date();
  const { drafts, rescued: results } = withResultsFromFiles(valid, new LegacyFiles(paths.root), run, {
    now,
    answeredAt: (effectId) => answeredAt(effectId, { files, kept }),
  });
  const rescued: Rescued[] = [...reconstructed.map(rescuedFirstEntry), ...kept.flatMap(rescuedOf), ...results];
  const entries = sealDatedDrafts(drafts);
  const isRight = dropped.length + rescued.length + suspicious.length === 0 && isUnchanged(files, entries);
  const found = foundValues(paths, entries);
  const isUntouched = isRight && found.length === 0 && entries.length > 0;
  const lost = lostBlobs(paths, entries, found);
  const state = foldRun(run, entries);
  const missing = [
    ...classified.missing,
    ...lostEntries(classified, { files, state, found: results.length }),
    ...lostMarks(files, kept),
    ...lostEnd(paths, files.at(-1)?.seq ?? 0, kept.at(-1)?.file.seq ?? 0),
    ...(isLegacy ? legacyFileProblems(paths, state).map(lostTask) : []),
  ];
  const warnings = [
    ...missing.map(({ why }) => why),
    ...(isRunFileLost(paths) ? [runFileLost(isUntouched)] : []),
    ...lost.map(({ message, hint }) => `${message}; ${hint}`),
  ];
  const restored = found.map(({ path, from }) => ({ path, from }));
  const plan = {
    files: files.length,
    entries: entries.length,
    dropped,
    suspicious,
    rescued,
    restored,
    lost: [...new Set([...missing, ...lost].flatMap(({ path }) => path ?? []))],
    warnings,
    whole: isUntouched && lost.length === 0 && missing.length === 0,
  };
  if (options.dryRun || isUntouched) return plan;
  if (entries.length === 0) throw new ReinsError(nothingLeft(warnings));
  const blobs = new RunBlobs(paths);
  for (const { value } of found) await blobs.put(value);
  if (isRight) return plan;
  if (isRunFileLost(paths) && isLegacyJournal(files)) restoreLegacyRunFile(paths, files, `bak.${now.getTime()}`);
  const backup = await installJournal(paths, run, entries, `bak.${now.getTime()}`);
  return { ...plan, backup };
}

/**
 * Reports entries that cannot be recovered. Most lost entries of a babysitter journal are notes, so unknown ones are
 * not reported there.
 */
function lostEntries(
  { kept, isLegacy, missing }: ClassifiedEntries,
  { files, state, found }: { files: readonly EntryFile[]; state: RunState; found: number },
): MissingData[] {
  const answers = lostAnswers(state, { files, kept }, found);
  const isReported = isLegacy || answers.length > 0 || missing.some(({ path }) => path !== undefined);
  return isReported ? answers : lostUnknown({ files, kept }, found);
}

/** The state is written after its entries, so it can show that later entries existed. */
function lostEnd(paths: RunPaths, last: number, kept: number): MissingData[] {
  const end = stateHead(paths)?.version ?? 0;
  if (last === 0 || end <= Math.max(last, kept)) return [];
  const from = Math.max(last, kept) + 1;
  const what = end === from ? `entry ${end}` : `entries ${from} to ${end}`;
  const why = `${what}, which state/state.json refers to, cannot be found: the progress of the run there is lost`;
  return [{ why, path: `journal/${numberOf(from)}` }];
}

const lostTask = ({ message, hint, path }: Problem): MissingData => ({
  why: `${message}; ${hint}`,
  ...(path && { path }),
});

function lostBlobs(paths: RunPaths, entries: readonly Entry[], found: readonly FoundValue[]): Problem[] {
  const again = new Set(found.map(({ path }) => path));
  return blobProblems(paths, entries).filter(({ path = '' }) => !again.has(path));
}

const runFileLost = (isUntouched: boolean): string =>
  isUntouched
    ? 'run.json is missing or torn: rebuild it with run:rebuild-state'
    : 'run.json is missing or torn: it is rebuilt from the journal';

const nothingLeft = (warnings: readonly string[]): Problem => ({
  code: 'journal_corrupt',
  message: ['nothing of the journal can be kept, so it was not changed', ...warnings].join('; '),
  path: 'journal',
  hint: 'restore the journal from a copy; run:repair-journal --dry-run lists the problem of each entry',
});

const rescuedFirstEntry = ({ draft: { type, data }, from }: ReconstructedEntry): Rescued => ({
  ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }),
  type,
  from,
  isProven: false,
});

/** An entry whose file could be read is not rescued, even if its content was replaced. */
function rescuedOf({ draft: { type, data }, recovered, isLost }: KeptEntry): Rescued[] {
  if (!recovered || !isLost) return [];
  const { from, isProven } = recovered;
  return [
    { ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }), type, from, isProven },
  ];
}

/**
 * Whether the repair would write what is there. Babysitter entries have no chain, so only their file names are checked.
 */
function isUnchanged(files: readonly EntryFile[], entries: readonly Entry[]): boolean {
  if (sequenceProblem(files)) return false;
  return files.every((file, i) => !isOwn(file) || hashIn(file) === entries[i]?.hash);
}

/** The hash of an entry whose file is exactly as it was written. */
function hashIn(file: EntryFile): string | undefined {
  try {
    return parseEntryFile(file).entry.hash;
  } catch {
    return undefined;
  }
}

/** Why a kept file is suspicious; undefined when it is not. */
function suspicionOf({
  file,
  recovered,
  isLost,
}: KeptEntry): { readonly name: string; readonly why: string } | undefined {
  if (isLost) return undefined;
  const suspicion = suspicionOfFile(file);
  if (!recovered) return suspicion;
  const { from, isProven } = recovered;
  const taken = isProven ? `replaced by the original from ${from}` : `replaced by the different content of ${from}`;
  return { name: file.name, why: `${suspicion?.why ?? 'it was altered'}; ${taken}` };
}

function suspicionOfFile(file: EntryFile): { readonly name: string; readonly why: string } | undefined {
  if (!isOwn(file)) {
    const tampered = checksumProblem(file);
    return tampered && { name: file.name, why: withoutFileName(tampered.message, file) };
  }
  try {
    const { entry } = parseEntryFile(file);
    return hashEntry(entry) === entry.hash
      ? undefined
      : { name: file.name, why: 'its hash does not match its content' };
  } catch (error) {
    return { name: file.name, why: withoutFileName(problemOf(error).message, file) };
  }
}

/** Reports the first entry whose commit range does not fit its neighbours. It is kept and chained again. */
function commitMismatches(kept: readonly KeptEntry[]): { readonly name: string; readonly why: string }[] {
  const own = kept.flatMap(({ file }) => {
    const value = jsonOf(file);
    return isProblem(value) || !isOwnEntry(value) ? [] : [value];
  });
  if (own.length < kept.length) return [];
  const at = commitMismatchAt(own.map((value) => ({ entry: value, commit: value.commit }) as unknown as StoredEntry));
  const file = at === undefined ? undefined : kept[at]?.file;
  return file ? [{ name: file.name, why: 'its commit does not fit the previous one' }] : [];
}
