import { problemOf, problemsOfEntry, ReinsError, type RunAddress } from '@reins/contracts';
import { type Entry, type EntryDraft, hashEntry, sealEntries } from '../entries/entry.ts';
import { applyEntry } from '../state/apply-entry.ts';
import { wrongAsNext } from '../state/legal-entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import {
  type EntryFile,
  isOwnEntry,
  isProblem,
  jsonOf,
  misfitOf,
  parseEntryFile,
  readJournalFiles,
  type StoredEntry,
  wholeCommits,
  wrongRow,
} from './journal-files.ts';
import type { RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { InvocationKeysSeen, installJournal, sealDated, tamperedWith, translateFile } from './legacy/legacy-run.ts';
import { normalise } from './legacy/normalise.ts';
import type { Dated } from './legacy/translate.ts';
import { beginningOf, type Rescued, withResults } from './rescue.ts';
import type { RunDirectoryStore } from './run-directory-store.ts';
import { recoverSwap } from './swap-journal.ts';
import { metadataOf } from './views.ts';

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
  /** What was found beside the journal: results whose entry was torn or lost, and what the run began with. */
  readonly rescued: readonly Rescued[];
  /** Nothing is wrong: a repair would write what is there. */
  readonly whole: boolean;
}

export interface Dropped {
  readonly name: string;
  readonly why: string;
  /** Of an entry that can be read and may not stand where it does; absent when the file cannot be read. */
  readonly type?: string;
}

export interface RepairResult extends RepairPlan {
  /** Where the journal is kept that was there before; absent when nothing was done. */
  readonly backup?: string;
}

/** One entry that may stay, and the file that it came from. */
interface Kept extends Dated {
  readonly file: EntryFile;
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

async function repair(paths: RunPaths, run: RunAddress, options: RepairOptions): Promise<RepairResult> {
  const files = (await readJournalFiles(paths.journal)) ?? [];
  const { kept, dropped, isForeign, beginning } = sift(files, paths, run);
  const suspicious = [...kept.flatMap(({ file }) => suspicionOf(file) ?? []), ...misfitIn(kept)];
  const readable = [...beginning, ...kept];
  const lawful = isForeign ? normalise(readable) : readable;
  const now = options.now?.() ?? new Date();
  const { row, rescued: results } = withResults(lawful, new LegacyFiles(paths.root), run, now);
  const rescued: Rescued[] = [...beginning.map(() => ({ from: 'run.json' })), ...results];
  const entries = sealDated(row);
  const whole = dropped.length + rescued.length + suspicious.length === 0 && isUnchanged(files, entries);
  const plan = { files: files.length, entries: entries.length, dropped, suspicious, rescued, whole };
  if (options.dryRun || whole) return plan;
  if (entries.length === 0) throw new ReinsError(NOTHING_LEFT);
  const backup = await installJournal(paths, run, entries, `bak.${now.getTime()}`);
  return { ...plan, backup };
}

const NOTHING_LEFT = {
  code: 'journal_corrupt',
  message: 'nothing of the journal can be kept, so it is left as it is',
  path: 'journal',
  hint: 'run:repair-journal --dry-run says what is wrong with each entry',
} as const;

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

/** Parses what can be parsed, and keeps of that what is lawful where it stands. */
function sift(files: readonly EntryFile[], paths: RunPaths, run: RunAddress): Sifted {
  const beside = new LegacyFiles(paths.root);
  const dropped: Dropped[] = [];
  const readable: Kept[] = [];
  for (const file of files) {
    const dated = datedOf(file, beside, run);
    if ('code' in dated) dropped.push({ name: file.name, why: whyOf(dated.message, file) });
    else readable.push({ ...dated, file });
  }
  const finished = withoutUnfinished(readable, dropped);
  const isForeign = finished.some(({ file }) => !isOwn(file));
  const state = emptyRun(run);
  const seen = new InvocationKeysSeen();
  const hasBeginning = finished.length === 0 || finished[0]?.draft.type === 'RUN_CREATED';
  const beginning = hasBeginning
    ? []
    : [beginningOf(metadataOf(paths), beside, run)].filter((one) => one !== undefined);
  for (const one of beginning) unlawful(state, one);
  const kept = finished.filter((one) => {
    const why = isForeign ? unlawfulThere(state, one, seen) : unlawful(state, one);
    if (why !== undefined) dropped.push({ name: one.file.name, why, type: one.draft.type });
    return why === undefined;
  });
  return { kept, dropped, isForeign, beginning };
}

interface Sifted {
  readonly kept: readonly Kept[];
  readonly dropped: RepairPlan['dropped'];
  /** What the journal begins with, where its own first entry is gone. */
  readonly beginning: readonly Dated[];
  /** Written by babysitter, at least in part: ends more than once, and sleeps pass without an entry. */
  readonly isForeign: boolean;
}

function isOwn(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && isOwnEntry(value);
}

/** What may stand in a babysitter's journal is more, and `normalise` makes sense of it. */
function unlawfulThere(state: RunState, one: Dated, seen: InvocationKeysSeen): string | undefined {
  if (isEnd(one.draft) || one.draft.type === 'EFFECT_PROGRESS') return undefined;
  return seen.isSecond(one) ? 'its invocation key was requested before' : unlawful(state, one);
}

const isEnd = ({ type }: EntryDraft): boolean =>
  type === 'RUN_COMPLETED' || type === 'RUN_FAILED' || type === 'RUN_HALTED';

/** Why a file that is kept cannot be trusted; undefined when it can. */
function suspicionOf(file: EntryFile): { readonly name: string; readonly why: string } | undefined {
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

const whyOf = (message: string, { name }: EntryFile): string => message.replace(`journal/${name}: `, '');

/** @returns the draft in a file of either format, or what is wrong with it */
function datedOf(file: EntryFile, beside: LegacyFiles, run: RunAddress): ReturnType<typeof translateFile> {
  const value = jsonOf(file);
  if (isProblem(value)) return value;
  if (!isOwnEntry(value)) return translateFile(file, beside, run);
  const { type, data, recordedAt } = value as unknown as StoredEntry['entry'];
  const [problem] = problemsOfEntry(type, data);
  return problem ?? { draft: { type, data } as EntryDraft, recordedAt };
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

/** The rest of a commit that a crash cut short was never acknowledged. */
function withoutUnfinished(readable: readonly Kept[], dropped: Dropped[]): readonly Kept[] {
  const last = readable.at(-1);
  const value = last && jsonOf(last.file);
  if (!value || isProblem(value) || !isOwnEntry(value)) return readable;
  const stored = readable.map(({ file }) => {
    const { commit, ...entry } = JSON.parse(file.text) as { commit: StoredEntry['commit'] } & StoredEntry['entry'];
    return { entry: entry as StoredEntry['entry'], commit: commit ?? { first: file.seq, last: file.seq } };
  });
  const whole = wholeCommits(stored).length;
  for (const { file } of readable.slice(whole)) dropped.push({ name: file.name, why: 'its commit was not finished' });
  return readable.slice(0, whole);
}

/** Applies the entry to the state where it may stand; otherwise says why not. */
function unlawful(state: RunState, { draft, recordedAt }: Dated): string | undefined {
  const [entry] = sealEntries(state.head, [draft], recordedAt);
  if (!entry) return 'it is empty';
  const wrong = wrongAsNext(state, entry);
  if (wrong === undefined) applyEntry(state, entry);
  return wrong;
}
