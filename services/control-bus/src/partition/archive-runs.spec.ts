import { describe, expect, jest, test } from '@jest/globals';
import type { Lease } from '@reins/bus';
import { journalSubject, type RunAddress } from '@reins/contracts';
import {
  archiveStub,
  type Entry,
  type EntryDraft,
  type FinishedJournal,
  foldRun,
  type JournalStore,
  packJournals,
  type StreamMessage,
  sealEntries,
  streamJournalStore,
} from '@reins/journal';
import { NO_PROGRESS } from '../testing/no-progress.ts';
import { type ArchivePorts, archiveRuns } from './archive-runs.ts';
import { LiveRunIndex } from './live-run-index.ts';
import { OwnedJournal } from './owned-journal.ts';
import { RunArchiver, type RunArchiverPorts } from './run-archiver.ts';

const AT = '2026-01-01T00:00:00.000Z';
const run = (runId: string): RunAddress => ({ workspaceId: 'ws', runId });

/** An in-memory journal stream and pack store. */
function opened() {
  const commits: (StreamMessage & { readonly subject: string })[] = [];
  let seq = 0;
  const on = (subject: string) => commits.filter((commit) => commit.subject === subject);
  const journal = streamJournalStore({
    read: async (subject) => on(subject),
    append: async (subject, data, _, expected) => {
      if ((on(subject).at(-1)?.seq ?? 0) !== expected) return { outcome: 'fenced' };
      seq += 1;
      commits.push({ subject, data, seq });
      return { outcome: 'stored', seq };
    },
  });
  const packs = new Map<string, Uint8Array>();
  const ports: ArchivePorts = {
    journal,
    packs: {
      put: async (pack) => {
        const ref = { sha256: String(packs.size + 1).padStart(64, '0'), size: pack.length };
        packs.set(ref.sha256, pack);
        return ref;
      },
      get: async ({ sha256 }) => packs.get(sha256) as Uint8Array,
    },
    purge: async (address, before) => {
      const gone = on(journalSubject(address)).filter((commit) => commit.seq < before);
      commits.splice(0, commits.length, ...commits.filter((commit) => !gone.includes(commit)));
    },
    epoch: () => 1,
    clock: { now: () => new Date(AT) },
    onFailure: (_, error) => {
      throw error;
    },
  };
  /** Writes an ended run of two commits. */
  const ended = async (runId: string, epoch = 1): Promise<readonly Entry[]> => {
    const who = { workspaceId: 'ws', sessionId: 's', agentId: 'a', revision: 'a'.repeat(64), idempotencyKey: 'k' };
    const drafts: EntryDraft[] = [
      { type: 'RUN_CREATED', data: { ...who, process: { id: 'p', codeHash: 'c' }, inputs: null, session: {} } },
      { type: 'RUN_COMPLETED', data: { output: 1 } },
    ];
    const entries = sealEntries({ version: 0, hash: '' }, drafts, AT);
    for (const entry of entries) {
      const { position } = await journal.load(run(runId));
      await journal.append(run(runId), { entries: [entry], epoch }, position);
    }
    return entries;
  };
  return { commits, ended, journal, ports };
}

test('removes the commits that a crashed owner left after appending the stub', async () => {
  const { commits, ended, journal, ports } = opened();
  const entries = await ended('r');
  const append: typeof journal.append = async (address, commit, expected) => {
    // Another owner appends the stub first, and crashes.
    const ref = await ports.packs.put(await packJournals([{ run: address, entries }]));
    const stub = sealEntries(foldRun(address, entries).head, [archiveStub(foldRun(address, entries), ref)], AT);
    await journal.append(address, { entries: stub, epoch: 1 }, expected);
    return journal.append(address, commit, expected);
  };
  expect(await archiveRuns({ ...ports, journal: { ...journal, append } }, [run('r')])).toBe(1);
  expect(commits).toHaveLength(1);
});

test('does not archive a run that a newer owner has ended', async () => {
  const { commits, ended, ports } = opened();
  await ended('r', 2);
  await expect(archiveRuns(ports, [run('r')])).rejects.toMatchObject({ code: 'partition_moved' });
  expect(commits).toHaveLength(2);
});

describe('a run whose pack differs from its journal', () => {
  /** Truncates the journal in the pack to its first entry. */
  const shortOf = (runId: string, packs: readonly FinishedJournal[]): FinishedJournal[] =>
    packs.map((pack) => (pack.run.runId === runId ? { ...pack, entries: pack.entries.slice(0, 1) } : pack));

  test('stays in the stream, and does not block other runs', async () => {
    const { commits, ended, ports } = opened();
    for (const runId of ['a', 'b', 'c']) await ended(runId);
    const failures = jest.fn<ArchivePorts['onFailure']>();
    const pack = (journals: readonly FinishedJournal[]) => packJournals(shortOf('b', journals));
    expect(await archiveRuns({ ...ports, pack, onFailure: failures }, ['a', 'b', 'c'].map(run))).toBe(2);
    expect(failures.mock.calls).toEqual([[run('b'), expect.objectContaining({ code: 'journal_corrupt' })]]);
    expect(commits.filter(({ subject }) => subject === journalSubject(run('b')))).toHaveLength(2);
  });

  test('stays in the stream when its stub exists already', async () => {
    const { commits, ended, journal, ports } = opened();
    const entries = await ended('a');
    await ended('b');
    const state = foldRun(run('a'), entries);
    const ref = await ports.packs.put(await packJournals(shortOf('a', [{ run: run('a'), entries }])));
    const stub = sealEntries(state.head, [archiveStub(state, ref)], AT);
    await journal.append(run('a'), { entries: stub, epoch: 1 }, (await journal.load(run('a'))).position);
    const failures = jest.fn<ArchivePorts['onFailure']>();
    expect(await archiveRuns({ ...ports, onFailure: failures }, ['a', 'b'].map(run))).toBe(1);
    expect(failures.mock.calls).toEqual([[run('a'), expect.objectContaining({ code: 'journal_corrupt' })]]);
    expect(commits.filter(({ subject }) => subject === journalSubject(run('a')))).toHaveLength(3);
  });
});

const leaseOf = (epoch: number, isValid = () => true): Lease => ({
  partition: 0,
  epoch,
  get valid() {
    return isValid();
  },
  signal: new AbortController().signal,
  raiseEpoch: async () => {},
});

interface Archived extends Partial<RunArchiverPorts> {
  readonly journal?: JournalStore;
  readonly lease?: Lease;
}

function archiverOver(
  given: ReturnType<typeof opened>,
  { journal: store = given.journal, lease = leaseOf(1), ...more }: Archived = {},
) {
  const { commits, ports } = given;
  const positions: number[] = [];
  const archive: RunArchiverPorts = {
    ...ports,
    streams: {
      created: async () => 'once',
      oldestInInbox: async () => undefined,
      heldRuns: async () => [],
      purge: ports.purge,
      async *commits(_, after) {
        for (const commit of commits) if (commit.seq > after) yield { ...commit, time: new Date(AT) };
      },
    },
    positions: {
      get: async (key) =>
        positions.length > 0 ? { key, value: { stream: 'once', seq: positions.at(-1) ?? 0 }, revision: 1 } : undefined,
      put: async (_, { seq }) => positions.push(seq),
    },
    clock: { now: () => new Date(Date.parse(AT) + 60_000), after: () => () => {} },
    log: { debug: () => {}, warn: () => {}, error: () => {} },
    archiveAfterMs: 1_000,
    inline: async (commit) => commit,
    removeCheckpoint: async () => {},
    onSkipped: () => {},
    ...more,
  };
  const index = new LiveRunIndex(() => {});
  const liveRuns = { index, ready: async () => {} };
  const journalOf = (owner: Lease) =>
    new OwnedJournal({
      lease: owner,
      store,
      fetchPack: ports.packs.get,
      liveRuns,
      checkpoints: { onAppend() {} },
      progress: NO_PROGRESS,
    });
  /** An archiver over the same streams, for another owner. */
  const under = (owner: Lease): RunArchiver => new RunArchiver(archive, journalOf(owner));
  return { archiver: under(lease), under, index, positions, streams: archive.streams };
}

test('removes the checkpoint of a run before its commits', async () => {
  const given = opened();
  await given.ended('a');
  const there: number[] = [];
  const removeCheckpoint = async ({ runId }: RunAddress) => {
    there.push(given.commits.filter(({ subject }) => subject === journalSubject(run(runId))).length);
  };
  expect(await archiverOver(given, { removeCheckpoint }).archiver.sweep()).toBe(1);
  expect(there).toEqual([3]);
  expect(given.commits).toHaveLength(1);
});

test('does not store the position of runs that were skipped under an expired lease', async () => {
  const given = opened();
  await given.ended('a');
  await given.ended('b');
  let isValid = true;
  // The lease expires after the owner has compared the epochs.
  const load: typeof given.journal.load = async (address) => {
    const { entries, ...loaded } = await given.journal.load(address);
    return {
      ...loaded,
      get entries() {
        isValid = false;
        return entries;
      },
    };
  };
  const put: typeof given.ports.packs.put = async (pack) => {
    isValid = true;
    return given.ports.packs.put(pack);
  };
  const { archiver, positions } = archiverOver(given, {
    journal: { ...given.journal, load },
    packs: { ...given.ports.packs, put },
    lease: leaseOf(1, () => isValid),
  });
  expect(await archiver.sweep()).toBe(1);
  expect(positions).toEqual([]);
  isValid = true;
  const again = archiverOver(given);
  expect(await again.archiver.sweep()).toBe(1);
  expect(given.commits).toHaveLength(2);
});

test('a run with held messages does not keep other runs in the stream', async () => {
  const given = opened();
  await given.ended('a');
  await given.ended('b');
  const held = [run('waits for an answer')];
  const base = archiverOver(given);
  const { archiver } = archiverOver(given, { streams: { ...base.streams, heldRuns: async () => held } });
  held.push(run('b'));
  expect(await archiver.sweep()).toBe(1);
  expect(await archiver.sweep()).toBe(0);
  held.pop();
  expect(await archiver.sweep()).toBe(1);
});

test('retries an unpublished end in the next sweep of the same owner, then skips it', async () => {
  const given = opened();
  await given.ended('a');
  await given.ended('b');
  const skipped: string[] = [];
  const { archiver, under, index, positions } = archiverOver(given, {
    onSkipped: ({ runId }) => void skipped.push(runId),
  });
  const published = (runId: string) => index.settled(run(runId), { type: 'RUN_COMPLETED', version: 2 });
  index.started(run('b'));
  const next = under(leaseOf(2));
  expect(await archiver.sweep()).toBe(1);
  expect(positions).toEqual([3]);
  // A new owner starts counting from zero.
  expect(await next.sweep()).toBe(0);
  expect(positions).toEqual([3]);
  published('b');
  expect(await next.sweep()).toBe(1);
  await given.ended('c');
  await given.ended('d');
  index.started(run('c'));
  expect(await next.sweep()).toBe(0);
  expect(skipped).toEqual([]);
  expect(await next.sweep()).toBe(1);
  expect(skipped).toEqual(['c']);
  published('c');
  expect(await next.sweep()).toBe(0);
});

describe('the sweeps of a partition', () => {
  /** An archiver, and the number of its scheduled sweeps. */
  function waiting() {
    let due = 0;
    const after = (): (() => void) => {
      let isDue = true;
      due += 1;
      return () => {
        if (isDue) due -= 1;
        isDue = false;
      };
    };
    const { under } = archiverOver(opened(), { clock: { now: () => new Date(AT), after } });
    return { under, due: () => due };
  }

  test('continue under a newer lease when the previous one is stopped', async () => {
    const { under, due } = waiting();
    const [previous, next] = [under(leaseOf(1)), under(leaseOf(2))];
    previous.start();
    next.start();
    await previous.stop();
    expect(due()).toBe(1);
    await next.stop();
    expect(due()).toBe(0);
  });

  test('stop when their lease is lost', () => {
    const { under, due } = waiting();
    const lost = new AbortController();
    under({ ...leaseOf(1), signal: lost.signal }).start();
    expect(due()).toBe(1);
    lost.abort();
    expect(due()).toBe(0);
  });

  test('do not start when their lease is lost already, or when they are stopped', async () => {
    const { under, due } = waiting();
    under({ ...leaseOf(1), signal: AbortSignal.abort() }).start();
    const stopped = under(leaseOf(2));
    await stopped.stop();
    stopped.start();
    expect(due()).toBe(0);
  });
});
