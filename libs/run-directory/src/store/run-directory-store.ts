import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { assertToken, type JsonObject, type Problem, ReinsError, type RunAddress } from '@reins/contracts';
import {
  type AppendOutcome,
  applyEntry,
  assertVerified,
  type Commit,
  EMPTY_HEAD,
  type Entry,
  foldRun,
  type JournalStore,
  type LoadedJournal,
  type Position,
  type RunState,
} from '@reins/journal';
import { isLegacyRun, migrateLegacyRun, readLegacyRun } from '../legacy/legacy-run.ts';
import { confirmedRunId } from '../views/run-file.ts';
import { metadataOf, writeSkeleton, writeStateView, writeViews } from '../views/views.ts';
import { firstUlid, nextUlid } from './chained-ulid.ts';
import { createFiles, makeDirectories, readIfExists, removeUnfinished, syncDirectory } from './files.ts';
import {
  asSingleCommits,
  type CommitRange,
  commitMismatchAt,
  completeCommits,
  corruptFile,
  type EntryFile,
  entryFileText,
  parseEntryFile,
  readJournalFiles,
  type StoredEntry,
  sequenceProblem,
  withFileNames,
} from './journal-files.ts';
import { entryFileName, type RunPaths, runPaths } from './layout.ts';
import { assertNoLinks } from './links.ts';
import { acquireRunLock } from './run-lock.ts';
import { lostCommitEnd, stateHead } from './state-head.ts';
import { filesOf, recoverSwap } from './swap-journal.ts';

/** The end of a run's journal, as this process last saw it. */
interface Tail {
  readonly state: RunState;
  /** From the file name of the last entry. */
  readonly ulid: string;
  readonly recordedAt: string;
}

/** A journal on disk. */
interface JournalOnDisk {
  readonly journal: LoadedJournal;
  /** The entries of a babysitter journal are translated, so it can have more or fewer files than entries. */
  readonly files: readonly EntryFile[];
  /** Babysitter wrote the journal, and Reins has not appended to it yet. */
  readonly isLegacy: boolean;
}

/** The runs that the current async context has locked. */
const lockedRoots = new AsyncLocalStorage<ReadonlySet<string>>();

/**
 * Journals as run directories: one file per entry, without a server. Reads babysitter journals and converts them at the
 * first append. Also writes views for users and tools, which can be rebuilt from the journal.
 */
export class RunDirectoryStore implements JournalStore {
  readonly #root: string;
  readonly #name: string | undefined;
  readonly #tails = new Map<string, Tail>();
  readonly #swept = new Set<string>();
  /** Directories without links in place of files and folders of the run. */
  readonly #checked = new Set<string>();
  /** Runs whose stored state is outdated. */
  readonly #changed = new Set<string>();

  /**
   * @param root the directory of the run directories
   * @param name the name of the only directory that this store uses, whatever the run's id is: a directory may have
   *   been renamed or copied
   */
  constructor(root: string, name?: string) {
    this.#root = root;
    this.#name = name;
  }

  pathsOf(run: RunAddress): RunPaths {
    return runPaths(join(this.#root, this.#name ?? assertToken(run.runId, 'runId')));
  }

  /**
   * The fields of `run.json`, including those that are not in the journal, such as `nonInteractive`. Empty when there
   * is none.
   */
  metadata(run: RunAddress): JsonObject {
    return metadataOf(this.pathsOf(run));
  }

  async load(run: RunAddress): Promise<LoadedJournal> {
    return (await this.read(run)).journal;
  }

  /** Reads the journal and its files. @throws ReinsError `journal_corrupt` like `load` */
  async read(run: RunAddress): Promise<JournalOnDisk> {
    const paths = this.pathsOf(run);
    const files = await filesOf(paths);
    if (!files) return { journal: emptyOrLost(paths), files: [], isLegacy: false };
    if (isLegacyRun(paths, files))
      return { journal: loaded(asSingleCommits(await readLegacyRun(paths, run, files)), run), files, isLegacy: true };
    const problem = sequenceProblem(files) ?? ownerProblem(paths, files, run);
    if (problem) throw new ReinsError(problem);
    const all = files.map(parseEntryFile);
    const misfit = files[commitMismatchAt(all) ?? files.length];
    if (misfit) throw new ReinsError(corruptFile(misfit, 'its commit does not fit the previous one'));
    const stored = completeCommits(all);
    const lost = lostCommitEnd(paths, all, stored);
    if (lost) throw new ReinsError(lost);
    const journal = withFileNames(files, () => loaded(stored, run));
    const last = files[stored.length - 1];
    if (last) this.#tails.set(run.runId, tailOf(run, journal, last.ulid));
    return { journal, files: files.slice(0, stored.length), isLegacy: false };
  }

  async append(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome> {
    if (commit.entries.length === 0) throw new TypeError('a commit must have at least one entry');
    return this.#locked(run, 'append', () => this.#append(run, commit, expected));
  }

  /**
   * Runs work while holding the run's lock, so that no other process iterates, appends or repairs.
   * @param owner shown as the holder of the lock; undefined for read-only work, which takes no lock
   */
  async exclusively<T>(run: RunAddress, owner: string | undefined, work: () => Promise<T>): Promise<T> {
    return owner === undefined ? work() : this.#locked(run, owner, work);
  }

  /** Called once per lock, after all changes. */
  #writeState(paths: RunPaths, run: RunAddress): void {
    const tail = this.#tails.get(run.runId);
    if (tail && this.#changed.delete(run.runId)) writeStateView(paths, tail.state, tail.ulid);
  }

  /** Call this after changing the run's files other than by appending. */
  forget(run: RunAddress): void {
    this.#tails.delete(run.runId);
  }

  async #locked<T>(run: RunAddress, owner: string, work: () => Promise<T>): Promise<T> {
    const paths = this.pathsOf(run);
    const locked = lockedRoots.getStore() ?? new Set<string>();
    if (locked.has(paths.root)) return work();
    await makeDirectories([paths.root]);
    // Once: a directory is prepared before its commands run, and a look at all tasks takes time.
    if (!this.#checked.has(paths.root)) assertNoLinks(paths);
    this.#checked.add(paths.root);
    const lock = await acquireRunLock(paths.lock, { owner });
    try {
      await recoverSwap(paths);
      return await lockedRoots.run(new Set([...locked, paths.root]), work);
    } finally {
      try {
        this.#writeState(paths, run);
      } finally {
        await lock.release();
      }
    }
  }

  async #append(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome> {
    const paths = this.pathsOf(run);
    await this.#sweep(paths, run);
    const known = this.#tails.get(run.runId);
    if (!known && isLegacyRun(paths)) await migrateLegacyRun(paths, run);
    if (expected > 0 && known?.state.head.version !== expected) return this.#compare(run, commit, expected);
    if (expected > 0 && known && commit.entries[0]?.prev !== known.state.head.hash) return { outcome: 'fenced' };
    if (expected === 0) await writeSkeleton(paths);
    const ulid = await createEntries(paths, run, commit.entries, expected === 0 ? undefined : known);
    if (ulid === undefined) return this.#compare(run, commit, expected);
    const position = (commit.entries.at(-1) as Entry).version;
    this.#advance(paths, run, commit.entries, expected === 0 ? undefined : known, ulid);
    return { outcome: 'stored', position };
  }

  /** Removes unfinished files, and writes files that a killed process did not write, at the first use of a run's lock. */
  async #sweep(paths: RunPaths, run: RunAddress): Promise<void> {
    if (this.#swept.has(run.runId)) return;
    this.#swept.add(run.runId);
    await removeUnfinished([paths.state, paths.blobs]);
    await this.#restoreViews(paths, run);
  }

  /** The state is written after the files of its entries, so entries after its head may lack theirs. */
  async #restoreViews(paths: RunPaths, run: RunAddress): Promise<void> {
    const tail = this.#tails.get(run.runId);
    const written = stateHead(paths)?.version ?? 0;
    if (!tail || tail.state.head.version <= written) return;
    const { entries } = await this.load(run);
    await makeDirectories([paths.tasks, paths.state]);
    writeViews(paths, tail.state, entries.slice(written));
  }

  /** The journal on disk is not what this process expected. Compares the commit with what is there. */
  async #compare(run: RunAddress, commit: Commit, expected: Position): Promise<AppendOutcome> {
    this.#tails.delete(run.runId);
    const { entries, position } = await this.load(run);
    const last = commit.entries.at(-1) as Entry;
    if (entries[last.version - 1]?.hash === last.hash) return { outcome: 'stored', position: last.version };
    if (position !== expected) return { outcome: 'fenced' };
    await moveUnfinishedEntries(this.pathsOf(run), expected);
    return this.#append(run, commit, expected);
  }

  #advance(paths: RunPaths, run: RunAddress, entries: readonly Entry[], known: Tail | undefined, ulid: string): void {
    const state = known?.state ?? foldRun(run, []);
    for (const entry of entries) applyEntry(state, entry);
    this.#tails.set(run.runId, { state, ulid, recordedAt: (entries.at(-1) as Entry).recordedAt });
    this.#changed.add(run.runId);
    writeViews(paths, state, entries);
  }
}

/**
 * @returns the ULID of the last entry; undefined when a file exists already, because another writer continued this
 *   journal
 */
async function createEntries(
  paths: RunPaths,
  run: RunAddress,
  entries: readonly Entry[],
  tail: Tail | undefined,
): Promise<string | undefined> {
  let before = tail && { ulid: tail.ulid, hash: tail.state.head.hash, recordedAt: tail.recordedAt };
  const commit = rangeOf(entries);
  const files = entries.map((entry) => {
    const ulid = before ? nextUlid(before) : firstUlid(run.runId);
    before = { ulid, hash: entry.hash, recordedAt: entry.recordedAt };
    const name = entryFileName({ seq: entry.version, ulid });
    return { path: join(paths.journal, name), text: entryFileText({ entry, commit }) };
  });
  if (!(await createFiles(files, paths.state))) return undefined;
  syncDirectory(paths.journal);
  return before?.ulid;
}

function rangeOf(entries: readonly Entry[]): CommitRange {
  return { first: (entries[0] as Entry).version, last: (entries.at(-1) as Entry).version };
}

function tailOf(run: RunAddress, { entries }: LoadedJournal, ulid: string): Tail {
  return { state: foldRun(run, entries), ulid, recordedAt: (entries.at(-1) as Entry).recordedAt };
}

function loaded(stored: readonly StoredEntry[], run: RunAddress): LoadedJournal {
  const entries = stored.map(({ entry }) => entry);
  assertVerified(entries, run);
  const end = stored.at(-1);
  if (!end) return NOTHING;
  const { version, hash } = end.entry;
  return { entries, head: { version, hash }, position: version, lastCommitSize: version - end.commit.first + 1 };
}

const NOTHING: LoadedJournal = { entries: [], head: EMPTY_HEAD, position: 0, lastCommitSize: 0 };

/** Moves the rest of an unacknowledged commit out of the way of the next one. Called under the lock. */
async function moveUnfinishedEntries(paths: RunPaths, position: Position): Promise<void> {
  for (const { name, seq } of (await readJournalFiles(paths.journal)) ?? []) {
    if (seq > position) await rename(join(paths.journal, name), join(paths.orphaned, name));
  }
}

/** A process that gets the id of another run requests other effects. */
function ownerProblem(paths: RunPaths, [first]: readonly EntryFile[], run: RunAddress): Problem | undefined {
  const owner = first && confirmedRunId(paths, first, run);
  if (owner === undefined || owner === run.runId) return undefined;
  return {
    code: 'journal_corrupt',
    message: `run.json belongs to run ${run.runId}, but the journal belongs to run ${owner}`,
    path: 'run.json',
    hint: 'Restore its runId with run:repair-journal.',
  };
}

/** A run directory without its journal has lost it. It is not a new run. */
function emptyOrLost(paths: RunPaths): LoadedJournal {
  if (readIfExists(paths.run) === undefined) return NOTHING;
  const message = existsSync(paths.journal) ? 'the journal is not a directory' : 'the journal directory is missing';
  const hint = 'Preview a repair with run:repair-journal --dry-run.';
  throw new ReinsError({ code: 'journal_corrupt', message, path: 'journal', hint });
}
