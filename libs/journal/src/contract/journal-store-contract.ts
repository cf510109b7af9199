import { deepEqual, equal, rejects } from 'node:assert/strict';
import { isReinsError, type RunAddress } from '@reins/contracts';
import { EMPTY_HEAD, type Entry, type EntryDraft, type Head, sealEntries } from '../entries/entry.ts';
import type { Commit, JournalStore, LoadedJournal, Position } from '../store/journal-store.ts';

/**
 * One guarantee of every journal store, for any test runner: `for (const { name, check } of …) it(name, () =>
 * check(subject))`.
 */
export interface JournalStoreCase {
  readonly name: string;
  check(subject: StoreUnderTest): Promise<void>;
}

export interface StoreUnderTest {
  readonly store: JournalStore;
  /** A second, independent client of the same journals: another process, another replica. */
  readonly other: JournalStore;
  /** A run that has never been used. */
  newRun(): RunAddress;
  /** Corrupts the stored data of this run without using the store. Absent where that is impossible. */
  damage?(run: RunAddress): Promise<void>;
}

/** The guarantees of every journal store. */
export const journalStoreContract: readonly JournalStoreCase[] = [
  {
    name: 'a run without entries has an empty journal',
    check: async ({ store, newRun }) => {
      const defaults = { epoch: 0 };
      deepEqual(
        { ...defaults, ...(await store.load(newRun())) },
        { ...defaults, entries: [], head: EMPTY_HEAD, position: 0, lastCommitSize: 0 },
      );
    },
  },
  {
    name: 'stored entries can be read by every client, in order and unchanged',
    check: async ({ store, other, newRun }) => {
      const journal = await begin(store, newRun());
      await extend(store, journal, [LOG('one'), LOG('two')]);
      await extend(store, journal, [LOG('three')]);
      const loaded = await other.load(journal.run);
      equalEntries(loaded.entries, journal.entries);
      deepEqual(loaded.head, journal.head);
      equal(loaded.position, journal.position);
      equal(loaded.lastCommitSize, 1);
      await extend(store, journal, [LOG('four'), LOG('five')]);
      equal((await other.load(journal.run)).lastCommitSize, 2);
    },
  },
  {
    name: 'an append continues entries that another client stored',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      const theirs = takenOver(mine.run, await other.load(mine.run));
      await extend(other, theirs, [LOG('theirs')]);
      equalEntries((await store.load(mine.run)).entries, theirs.entries);
    },
  },
  {
    name: 'a writer that missed the last commit is fenced, and stores nothing',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      const stale = copyOf(mine);
      await extend(store, mine, [LOG('mine')]);
      equal(await attempt(other, stale, [LOG('stale')]), 'fenced');
      equalEntries((await other.load(mine.run)).entries, mine.entries);
    },
  },
  {
    name: 'a run is created once',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      const late = { ...empty(mine.run), startedAt: '2026-01-01T00:00:09.000Z' };
      equal(await attempt(other, late, [CREATED(mine.run)]), 'fenced');
      equalEntries((await store.load(mine.run)).entries, mine.entries);
    },
  },
  {
    name: 'of concurrent appends, one is stored and all others are fenced',
    check: async ({ store, other, newRun }) => {
      const start = await begin(store, newRun());
      const appends = Array.from({ length: 8 }, (_, i) =>
        attempt(i % 2 ? store : other, copyOf(start), [LOG(`rival ${i}`)]),
      );
      const outcomes = (await Promise.all(appends)).toSorted();
      deepEqual(outcomes, [...Array(7).fill('fenced'), 'stored']);
      equal((await store.load(start.run)).entries.length, 2);
    },
  },
  {
    name: 'the same commit sent again is stored once, with the same outcome',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      const commit = sealed(mine, [LOG('again')]);
      const first = await store.append(mine.run, commit, mine.position);
      const second = await other.append(mine.run, commit, mine.position);
      deepEqual(second, first);
      equal((await store.load(mine.run)).entries.length, 2);
    },
  },
  {
    name: 'runs are independent',
    check: async ({ store, newRun }) => {
      const [a, b] = [await begin(store, newRun()), await begin(store, newRun())];
      await extend(store, b, [LOG('b')]);
      await extend(store, a, [LOG('a')]);
      equalEntries((await store.load(a.run)).entries, a.entries);
      equalEntries((await store.load(b.run)).entries, b.entries);
    },
  },
  {
    name: 'every string, number and nesting is stored unchanged',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      const message = {
        text: 'ä \u2028 \u0000 "\\ 😀',
        numbers: [0, -1.5, 1e21, 1e-7, 2 ** 53 - 1],
        deep: { '': [null, true, {}] },
        '10': 1,
        '9': 2,
      };
      await extend(store, mine, [{ type: 'PROCESS_LOG', data: { message } }]);
      equalEntries((await other.load(mine.run)).entries, mine.entries);
    },
  },
  {
    name: 'a large commit is stored whole',
    check: async ({ store, other, newRun }) => {
      const mine = await begin(store, newRun());
      await extend(
        store,
        mine,
        Array.from({ length: 200 }, (_, i) => LOG(`${i} ${'x'.repeat(1000)}`)),
      );
      equalEntries((await other.load(mine.run)).entries, mine.entries);
    },
  },
  {
    name: 'a corrupted journal is rejected with journal_corrupt',
    check: async ({ store, other, newRun, damage }) => {
      if (!damage) return;
      const mine = await begin(store, newRun());
      await extend(store, mine, [LOG('one'), LOG('two')]);
      await damage(mine.run);
      await rejects(other.load(mine.run), (error) => isReinsError(error) && error.code === 'journal_corrupt');
    },
  },
];

/** Compares the enumerable members, because an entry also caches its serialized form. */
function equalEntries(actual: readonly Entry[], expected: readonly Entry[]): void {
  deepEqual(
    actual.map((entry) => ({ ...entry })),
    expected.map((entry) => ({ ...entry })),
  );
}

/** A journal as its writer knows it. */
interface WrittenJournal {
  readonly run: RunAddress;
  readonly startedAt: string;
  entries: readonly Entry[];
  head: Head;
  position: Position;
}

const empty = (run: RunAddress): WrittenJournal => ({
  run,
  startedAt: '2026-01-01T00:00:00.000Z',
  entries: [],
  head: EMPTY_HEAD,
  position: 0,
});
const copyOf = (journal: WrittenJournal): WrittenJournal => ({ ...journal });
const takenOver = (run: RunAddress, loaded: LoadedJournal): WrittenJournal => ({ ...empty(run), ...loaded });

async function begin(store: JournalStore, run: RunAddress): Promise<WrittenJournal> {
  const journal = empty(run);
  await extend(store, journal, [CREATED(run)]);
  return journal;
}

/** Appends, expects the commit to be stored, and updates the journal. */
async function extend(store: JournalStore, journal: WrittenJournal, drafts: readonly EntryDraft[]): Promise<void> {
  const commit = sealed(journal, drafts);
  const answer = await store.append(journal.run, commit, journal.position);
  if (answer.outcome !== 'stored') throw new Error('the commit was fenced, although no other writer appended');
  const last = commit.entries.at(-1) as Entry;
  journal.entries = [...journal.entries, ...commit.entries];
  journal.head = { version: last.version, hash: last.hash };
  journal.position = answer.position;
}

async function attempt(
  store: JournalStore,
  journal: WrittenJournal,
  drafts: readonly EntryDraft[],
): Promise<'stored' | 'fenced'> {
  return (await store.append(journal.run, sealed(journal, drafts), journal.position)).outcome;
}

const sealed = (journal: WrittenJournal, drafts: readonly EntryDraft[]): Commit => ({
  entries: sealEntries(journal.head, drafts, journal.startedAt),
  epoch: 7,
});

const LOG = (message: string): EntryDraft => ({ type: 'PROCESS_LOG', data: { message } });

const CREATED = ({ workspaceId, runId }: RunAddress): EntryDraft => ({
  type: 'RUN_CREATED',
  data: {
    workspaceId,
    sessionId: 'session',
    agentId: 'agent',
    revision: 'a'.repeat(64),
    process: { id: 'pipeline', codeHash: 'built-in' },
    inputs: null,
    session: {},
    idempotencyKey: `create ${runId}`,
  },
});
