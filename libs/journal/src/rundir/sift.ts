import { isObject, type JsonObject, problemsOfEntry, type RunAddress } from '@reins/contracts';
import type { Entry, EntryDraft } from '../entries/entry.ts';
import { emptyRun, type RunState } from '../state/run-state.ts';
import { type Dated, unlawful, withoutRequest } from '../verify/lawful.ts';
import { effectIdsBeside } from './beside-drafts.ts';
import { journalBeside, type MadeEntry } from './journal-beside.ts';
import {
  corruptFile,
  type EntryFile,
  isOwnEntry,
  isProblem,
  jsonOf,
  type StoredEntry,
  wholeCommits,
} from './journal-files.ts';
import { LAYOUT_VERSION, numberOf, type RunPaths } from './layout.ts';
import { LegacyFiles } from './legacy/legacy-files.ts';
import { InvocationKeysSeen, translateFile } from './legacy/legacy-run.ts';
import { lostLegacyEntries, type ReadFile } from './legacy/lost-entries.ts';
import { type Mended, Mending, type Missing } from './mending.ts';
import { beginningOf } from './rescue.ts';
import { processIdOf, startBeside } from './starts-beside.ts';
import { metadataOf } from './views.ts';

export interface Dropped {
  readonly name: string;
  readonly why: string;
  /** Of an entry that can be read and may not stand where it does; absent when the file cannot be read. */
  readonly type?: string;
}

/** One entry that may stay, and the file in whose place it stands. */
export interface Kept extends Dated {
  readonly file: EntryFile;
  /** It came from beside the journal. */
  readonly mended?: Mended;
  /** Its own file cannot be read, or is gone. */
  readonly isLost?: boolean;
}

/** Parses what can be parsed, and keeps of that what is lawful where it stands. */
export function sift(files: readonly EntryFile[], paths: RunPaths, run: RunAddress): Sifted {
  const dropped: Dropped[] = [];
  const readable = readableOf(files, paths, run, dropped);
  const finished = withoutUnfinished(readable, dropped);
  const isForeign = finished.some(({ file, mended }) => !mended && !isOwn(file));
  const state = emptyRun(run);
  const seen = new InvocationKeysSeen();
  const hasBeginning = finished[0]?.draft.type === 'RUN_CREATED';
  const { beginning: made, missed } = hasBeginning ? NO_BEGINNING : lostBeginning(finished, paths, run);
  const beginning = made.filter((one) => unlawful(state, one) === undefined);
  const kept = finished.filter((one) => {
    const why = isForeign ? unlawfulThere(state, one, seen) : unlawful(state, one);
    if (why !== undefined) dropped.push({ name: one.file.name, why, type: one.draft.type });
    return why === undefined;
  });
  const missing = [
    ...missed,
    ...kept.flatMap(({ mended }) => mended?.misses ?? []),
    ...(beginning.length > 0 || hasBeginning ? requestsMissed(finished, kept, paths) : []),
    ...(dropped.length > 0 && kept.length > 0 ? lostProcess(state, paths) : []),
  ];
  return { kept, dropped, isForeign, beginning, missing };
}

/** Every entry that can be read, or that lies beside the journal, in the order of the journal. */
function readableOf(files: readonly EntryFile[], paths: RunPaths, run: RunAddress, dropped: Dropped[]): Kept[] {
  const beside = new LegacyFiles(paths.root);
  const isOurs = files.some(isOwn);
  const mending = isOurs ? new Mending(files, paths, run) : undefined;
  const readable: Kept[] = [];
  const read: ReadFile[] = [];
  for (const file of files) {
    const dated = isOurs && hasNoType(file) ? corruptFile(file, 'it is not an entry') : datedOf(file, beside, run);
    read.push({ file, dated: 'code' in dated ? undefined : dated });
    const mended = 'code' in dated || !isOwn(file) ? mending?.lost(file.seq) : mending?.changed(file);
    if ('code' in dated) dropped.push({ name: file.name, why: whyOf(dated.message, file) });
    if (mended) readable.push({ ...mended, file, mended, isLost: 'code' in dated || !isOwn(file) });
    else if (!('code' in dated)) readable.push({ ...dated, file });
  }
  for (const seq of mending?.gaps() ?? []) {
    const mended = mending?.lost(seq);
    if (mended) readable.push({ ...mended, file: { seq, ulid: '', name: `${seq}`, text: '' }, mended, isLost: true });
  }
  for (const { draft, recordedAt, file, from } of mending ? [] : lostLegacyEntries(read, paths, run))
    readable.push({ draft, recordedAt, file, mended: { draft, recordedAt, from, isProven: false }, isLost: true });
  return readable.sort((a, b) => a.file.seq - b.file.seq);
}

interface Beginning {
  readonly beginning: readonly MadeEntry[];
  /** What nobody knows of it any more. */
  readonly missed: readonly Missing[];
}

const UNPROVEN_BEGINNING: Missing = {
  why: 'the first entry is made from run.json and inputs.json, and its hash is not the recorded one: what these do not have of it, such as what the run was forked from, is lost',
};

const OVERWRITTEN_BEGINNING: Missing = {
  why: 'the first entry is made from run.json, and what the process was given there is lost: inputs.json is of a later start; the run goes on from that, but nothing before it can be replayed',
  path: `journal/${numberOf(1)}`,
};

const NO_ENTRY: Missing = {
  why: 'no entry of the journal is left: what was asked for and answered is made from run.json and tasks/; what stood in the journal alone, such as steps and signals, is lost, and the process may not be able to go on (replay_nondeterminism)',
  path: 'journal',
};

const NOTHING_LEFT: Missing = {
  why: 'no entry is left, and run.json does not say what the run was',
  path: 'journal',
};

const NO_BEGINNING: Beginning = { beginning: [], missed: [] };

/** What the journal began with, as `run.json` and `inputs.json` have it; of what a later start of the process overwrote there nothing is made up. */
function lostBeginning(finished: readonly Kept[], paths: RunPaths, run: RunAddress): Beginning {
  if (finished.length === 0) {
    const beginning = journalBeside(paths, run);
    return { beginning, missed: [beginning.length > 0 ? NO_ENTRY : NOTHING_LEFT] };
  }
  const entries = finished.map(({ draft, file, recordedAt }) => ({ ...draft, version: file.seq, recordedAt }) as Entry);
  const { drafts, isOverwritten } = startBeside(1, entries, paths, run);
  const [own] = drafts;
  const dated = own?.recordedAt === undefined ? undefined : { draft: own.draft, recordedAt: own.recordedAt };
  const found = dated ?? beginningOf(metadataOf(paths), new LegacyFiles(paths.root), run);
  if (!found) return NO_BEGINNING;
  const unproven = dated ? [UNPROVEN_BEGINNING] : [];
  return {
    beginning: [{ ...found, from: 'run.json' }],
    missed: dated && isOverwritten ? [OVERWRITTEN_BEGINNING] : unproven,
  };
}

/** The run had a process that nothing of its journal starts any more. */
function lostProcess({ process }: RunState, paths: RunPaths): Missing[] {
  const { entrypoint, migratedFrom, layoutVersion } = metadataOf(paths);
  if (!isObject(entrypoint) || migratedFrom !== undefined || layoutVersion !== LAYOUT_VERSION) return [];
  const id = processIdOf(entrypoint as JsonObject);
  if (id === process.id) return [];
  const why = `the start of the process ${id}, which run.json names, is lost: the run has the process ${process.id} again`;
  return [{ why, path: 'journal' }];
}

/** A process asks again for what its journal does not have, and diverges from what follows there. */
function requestsMissed(finished: readonly Kept[], kept: readonly Kept[], paths: RunPaths): Missing[] {
  const beside = new Set(effectIdsBeside(paths));
  return withoutRequest(finished, kept).map((effectId) => {
    const path = `tasks/${effectId}`;
    const why = beside.has(effectId)
      ? `and ${path}/task.json does not say enough to make it again`
      : 'and nothing beside the journal has it, as of every step';
    const then = 'its process may not be able to go on (replay_nondeterminism)';
    return {
      why: `the request of effect ${effectId} is lost, ${why}: ${then}`,
      path: beside.has(effectId) ? path : 'journal',
    };
  });
}

export interface Sifted {
  readonly kept: readonly Kept[];
  readonly dropped: readonly Dropped[];
  /** What the journal begins with, where its own first entry is gone; all that it has, where no entry is left. */
  readonly beginning: readonly MadeEntry[];
  /** What the run will miss. */
  readonly missing: readonly Missing[];
  /** Written by babysitter, at least in part: ends more than once, and sleeps pass without an entry. */
  readonly isForeign: boolean;
}

/** Reins wrote it. */
export function isOwn(file: EntryFile): boolean {
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

/** What is wrong with a file, without its name. */
export const whyOf = (message: string, { name }: EntryFile): string => message.replace(`journal/${name}: `, '');

/** Of any object a babysitter's journal makes something; among entries of ours it is none. */
function hasNoType(file: EntryFile): boolean {
  const value = jsonOf(file);
  return !isProblem(value) && typeof value.type !== 'string';
}

/** @returns the draft in a file of either format, or what is wrong with it */
function datedOf(file: EntryFile, beside: LegacyFiles, run: RunAddress): ReturnType<typeof translateFile> {
  const value = jsonOf(file);
  if (isProblem(value)) return value;
  if (!isOwnEntry(value)) return translateFile(file, beside, run);
  const { type, data, recordedAt } = value as unknown as StoredEntry['entry'];
  const [problem] = problemsOfEntry(type, data);
  return problem ?? { draft: { type, data } as EntryDraft, recordedAt };
}

/** The rest of a commit that a crash cut short was never acknowledged. */
function withoutUnfinished(readable: readonly Kept[], dropped: Dropped[]): readonly Kept[] {
  const last = readable.at(-1);
  const value = last && jsonOf(last.file);
  if (!value || isProblem(value) || !isOwnEntry(value)) return readable;
  const stored = readable.map(({ file }) => {
    const read = jsonOf(file);
    const { commit, ...entry } = (isProblem(read) ? { version: file.seq } : read) as Partial<StoredEntry> & Entry;
    return { entry, commit: commit ?? { first: file.seq, last: file.seq } };
  });
  const whole = wholeCommits(stored).length;
  for (const { file } of readable.slice(whole)) dropped.push({ name: file.name, why: 'its commit was not finished' });
  return readable.slice(0, whole);
}
