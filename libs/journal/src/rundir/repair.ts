import { type Problem, problemOf, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, hashEntry } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import type { RunState } from '../state/run-state.ts';
import type { MadeEntry } from './journal-beside.ts';
import {
  type EntryFile,
  isOwnEntry,
  isProblem,
  jsonOf,
  misfitOf,
  parseEntryFile,
  readJournalFiles,
  type StoredEntry,
  wrongRow,
} from './journal-files.ts';
import { numberOf, type RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { installJournal, sealDated, tamperedWith } from './legacy/legacy-run.ts';
import { isLegacyJournal, restoreLegacyRunFile } from './legacy/legacy-run-file.ts';
import { normalise } from './legacy/normalise.ts';
import { answeredAt, lostAnswers, lostUnknown } from './lost-answers.ts';
import { lostMarks } from './lost-marks.ts';
import { type FoundValue, foundValues } from './lost-values.ts';
import type { Missing } from './mending.ts';
import { stateHead } from './proof.ts';
import { type Rescued, withResults } from './rescue.ts';
import { RunBlobs } from './run-blobs.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';
import { addressIn, isRunFileLost } from './run-file.ts';
import { type Dropped, isOwn, type Kept, type Sifted, sift, whyOf } from './sift.ts';
import { recoverSwap } from './swap-journal.ts';
import { blobProblems, foreignProblems } from './verify-beside.ts';

/** What a repair does, or would do. */
export interface RepairPlan {
  /** How many files the journal has. */
  readonly files: number;
  /** The entries that it has after the repair. */
  readonly entries: number;
  /** Files whose content is not taken over, and why. */
  readonly dropped: readonly Dropped[];
  /** Files that are not what was written, but can be read and may stand where they are: they are taken over as they are. */
  readonly suspicious: readonly { readonly name: string; readonly why: string }[];
  /** What was found beside the journal: requests and results whose entry was torn or lost, and what the run began with. */
  readonly rescued: readonly Rescued[];
  /** Values that the journal has by reference and that were lost: where each was found, and the blob that it is put back as. */
  readonly restored: readonly Omit<FoundValue, 'value'>[];
  /** What is lost for good, run-relative: blobs that nothing beside the journal has any more, and entries without which the run is not what it was. */
  readonly lost: readonly string[];
  /** What the run will miss after the repair, in plain words. */
  readonly warnings: readonly string[];
  /** Nothing is wrong: a repair would write what is there, and what the journal names is there. */
  readonly whole: boolean;
}

export interface RepairResult extends RepairPlan {
  /** Where the journal is kept that was there before; absent when nothing was done. */
  readonly backup?: string;
}

/**
 * Makes a journal lawful again with everything of it that can be kept: torn files, second requests, results of unknown
 * effects and doubled ones go, each with its reason; what remains is numbered and chained anew; a result that lies intact beside
 * the journal is entered again. The old journal is kept, and a crash leaves one of the two.
 * @param options.dryRun says what would be done, and does nothing
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
  const sifted = sift(files, paths, run);
  const { kept, dropped, isForeign, beginning } = sifted;
  const suspicious = [...kept.flatMap((one) => suspicionOf(one) ?? []), ...misfitIn(kept)];
  const readable = [...beginning, ...kept];
  const lawful = isForeign ? normalise(readable) : readable;
  const now = options.now?.() ?? new Date();
  const { row, rescued: results } = withResults(lawful, new LegacyFiles(paths.root), run, {
    now,
    answeredAt: (effectId) => answeredAt(effectId, { files, kept }),
  });
  const rescued: Rescued[] = [...beginning.map(rescuedBeginning), ...kept.flatMap(rescuedOf), ...results];
  const entries = sealDated(row);
  const isRight = dropped.length + rescued.length + suspicious.length === 0 && isUnchanged(files, entries);
  const found = foundValues(paths, entries);
  const isUntouched = isRight && found.length === 0 && entries.length > 0;
  const lost = lostBlobs(paths, entries, found);
  const state = foldRun(run, entries);
  const missing = [
    ...sifted.missing,
    ...lostEntries(sifted, { files, state, found: results.length }),
    ...lostMarks(files, kept),
    ...lostEnd(paths, files.at(-1)?.seq ?? 0, kept.at(-1)?.file.seq ?? 0),
    ...(isForeign ? foreignProblems(paths, state).map(lostTask) : []),
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

/** What nobody can enter again, by what is known of it; of a babysitter's journal most of that are notes. */
function lostEntries(
  { kept, isForeign, missing }: Sifted,
  { files, state, found }: { files: readonly EntryFile[]; state: RunState; found: number },
): Missing[] {
  const answers = lostAnswers(state, { files, kept }, found);
  const isTold = isForeign || answers.length > 0 || missing.some(({ path }) => path !== undefined);
  return isTold ? answers : lostUnknown({ files, kept }, found);
}

/** The state is written after the entries that it follows from: it knows of some that the journal has no more. */
function lostEnd(paths: RunPaths, last: number, kept: number): Missing[] {
  const end = stateHead(paths)?.version ?? 0;
  if (last === 0 || end <= Math.max(last, kept)) return [];
  const from = Math.max(last, kept) + 1;
  const what = end === from ? `entry ${end}` : `entries ${from} to ${end}`;
  const why = `${what}, which state/state.json knows, can no more be found: what the run had come to there is lost`;
  return [{ why, path: `journal/${numberOf(from)}` }];
}

const lostTask = ({ message, hint, path }: Problem): Missing => ({ why: `${message}; ${hint}`, ...(path && { path }) });

function lostBlobs(paths: RunPaths, entries: readonly Entry[], found: readonly FoundValue[]): Problem[] {
  const again = new Set(found.map(({ path }) => path));
  return blobProblems(paths, entries).filter(({ path = '' }) => !again.has(path));
}

const runFileLost = (isUntouched: boolean): string =>
  isUntouched
    ? 'run.json is missing or torn: run:rebuild-state makes it again'
    : 'run.json is missing or torn: it is made again from the journal';

const nothingLeft = (warnings: readonly string[]): Problem => ({
  code: 'journal_corrupt',
  message: ['nothing of the journal can be kept, so it is left as it is', ...warnings].join('; '),
  path: 'journal',
  hint: 'put the journal back from a copy; run:repair-journal --dry-run says what is wrong with each entry that is there',
});

const rescuedBeginning = ({ draft: { type, data }, from }: MadeEntry): Rescued => ({
  ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }),
  type,
  from,
  isProven: false,
});

/** A file that could be read is no rescue, whatever is taken for its content. */
function rescuedOf({ draft: { type, data }, mended, isLost }: Kept): Rescued[] {
  if (!mended || !isLost) return [];
  const { from, isProven } = mended;
  return [
    { ...('effectId' in data && data.effectId !== undefined && { effectId: data.effectId }), type, from, isProven },
  ];
}

/** The files are what would be written; of a babysitter's, whose entries are not chained, the row of their names is. */
function isUnchanged(files: readonly EntryFile[], entries: readonly Entry[]): boolean {
  if (wrongRow(files)) return false;
  return files.every((file, i) => !isOwn(file) || hashIn(file) === entries[i]?.hash);
}

/** The hash of an entry that is exactly as it was written. */
function hashIn(file: EntryFile): string | undefined {
  try {
    return parseEntryFile(file).entry.hash;
  } catch {
    return undefined;
  }
}

/** Why a file that is kept cannot be trusted; undefined when it can. */
function suspicionOf({ file, mended, isLost }: Kept): { readonly name: string; readonly why: string } | undefined {
  if (isLost) return undefined;
  const suspicion = suspicionOfFile(file);
  if (!mended) return suspicion;
  const { from, isProven } = mended;
  const taken = isProven
    ? `what was written is in ${from}, and is taken`
    : `${from} says something else, which is taken`;
  return { name: file.name, why: `${suspicion?.why ?? 'it is not what was written'}; ${taken}` };
}

function suspicionOfFile(file: EntryFile): { readonly name: string; readonly why: string } | undefined {
  if (!isOwn(file)) {
    const tampered = tamperedWith(file);
    return tampered && { name: file.name, why: whyOf(tampered.message, file) };
  }
  try {
    const { entry } = parseEntryFile(file);
    return hashEntry(entry) === entry.hash
      ? undefined
      : { name: file.name, why: 'its hash is not that of its content' };
  } catch (error) {
    return { name: file.name, why: whyOf(problemOf(error).message, file) };
  }
}

/** An entry that says of its commit what those around it do not: it stays, and is chained anew. */
function misfitIn(kept: readonly Kept[]): { readonly name: string; readonly why: string }[] {
  const own = kept.flatMap(({ file }) => {
    const value = jsonOf(file);
    return isProblem(value) || !isOwnEntry(value) ? [] : [value];
  });
  if (own.length < kept.length) return [];
  const at = misfitOf(own.map((value) => ({ entry: value, commit: value.commit }) as unknown as StoredEntry));
  const file = at === undefined ? undefined : kept[at]?.file;
  return file ? [{ name: file.name, why: 'its commit does not fit the one before' }] : [];
}
