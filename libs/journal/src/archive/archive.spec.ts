import { describe, expect, test } from '@jest/globals';
import { ReinsError, type RunAddress } from '@reins/contracts';
import fc from 'fast-check';
import { encodeCommit } from '../entries/commit-codec.ts';
import { type Entry, sealEntries } from '../entries/entry.ts';
import { foldRun } from '../state/apply-entry.ts';
import { CorruptedJournalError } from '../store/corrupted-journal-error.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { memoryStream } from '../store/memory-stream.ts';
import { streamJournalStore } from '../store/stream-store.ts';
import { AT, BLOB, CREATED, draft, JournalBuilder, journals, RUN } from '../testing/journals.ts';
import { loadThroughArchive } from './load-through-archive.ts';
import { archiveStub, packJournals, unpackJournal } from './pack.ts';

const other: RunAddress = { workspaceId: RUN.workspaceId, runId: '02RUN' };
const finished = () =>
  new JournalBuilder().add(
    CREATED,
    draft('PROCESS_LOG', { message: 'ä'.repeat(500) }),
    draft('RUN_HALTED', { reason: 'r' }),
  );

describe('a pack', () => {
  test('returns every journal unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(journals, journals, async (a, b) => {
        const pack = await packJournals([
          { run: RUN, entries: a },
          { run: other, entries: b },
        ]);
        expect(unpackJournal(pack, RUN)).toEqual(a);
        expect(unpackJournal(pack, other)).toEqual(b);
      }),
      { numRuns: 50 },
    );
  });

  test('reports a changed byte, or returns the same journal', async () => {
    const { entries } = finished();
    const pack = await packJournals([{ run: RUN, entries }]);
    fc.assert(
      fc.property(fc.nat(pack.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = pack.slice();
        changed[at] = (changed[at] as number) ^ change;
        let read: Entry[] | undefined;
        try {
          read = unpackJournal(changed, RUN);
        } catch (error) {
          expect(error).toMatchObject({ code: 'journal_corrupt' });
        }
        if (read) expect(read).toEqual(entries);
      }),
      { numRuns: 500 },
    );
  });

  test('reports a run that is not in it', async () => {
    const empty = await packJournals([]);
    expect(() => unpackJournal(empty, RUN)).toThrow(/is not in it/);
    expect(() => unpackJournal(new Uint8Array(), RUN)).toThrow(/its first line is not/);
  });

  test('is much smaller than its content', async () => {
    const { entries } = finished();
    expect((await packJournals([{ run: RUN, entries }])).length).toBeLessThan(
      encodeCommit({ entries, epoch: 0 }).length / 2,
    );
  });
});

describe('an archived run', () => {
  /** The run's stream after its entries were purged: only the stub is left. */
  async function archived(): Promise<{ store: JournalStore; entries: Entry[]; stub: Entry; pack: Uint8Array }> {
    const { entries, state } = finished();
    const pack = await packJournals([{ run: RUN, entries }]);
    const [stub] = sealEntries(state.head, [archiveStub(state, BLOB)], AT) as [Entry];
    const store = streamJournalStore(memoryStream());
    await store.append(RUN, { entries: [stub], epoch: 1 }, 0);
    return { store, entries, stub, pack };
  }

  test('reads as before, and is marked as archived', async () => {
    const { store, entries, stub, pack } = await archived();
    const loaded = await loadThroughArchive(store.load, async () => pack)(RUN);
    expect(loaded.entries).toEqual([...entries, stub]);
    expect(loaded).toMatchObject({ position: 1, lastCommitSize: 1, head: { version: 4, hash: stub.hash } });
    expect(foldRun(RUN, loaded.entries)).toMatchObject({ status: 'halted', archive: BLOB, end: { reason: 'r' } });
  });

  test('fences a late append', async () => {
    const { store, entries } = await archived();
    const late = {
      entries: sealEntries({ version: 3, hash: entries[2]?.hash ?? '' }, [draft('PROCESS_LOG', { message: 1 })], AT),
      epoch: 1,
    };
    expect(await store.append(RUN, late, 3)).toEqual({ outcome: 'fenced' });
    expect(() => foldRun(RUN, [...entries, ...late.entries])).toThrow(/already ended/);
  });

  test('with the archive of another end is rejected', async () => {
    const { store } = await archived();
    const truncated = await packJournals([
      { run: RUN, entries: new JournalBuilder().add(CREATED, draft('RUN_HALTED', {})).entries },
    ]);
    await expect(loadThroughArchive(store.load, async () => truncated)(RUN)).rejects.toThrow(
      /does not end at the entry that its stub names/,
    );
  });

  test('is read again when it is archived during a read', async () => {
    const { store, entries, stub, pack } = await archived();
    let reads = 0;
    const load: JournalStore['load'] = async (run) => {
      reads += 1;
      if (reads === 1) throw new ReinsError({ code: 'journal_corrupt', message: 'the middle is gone' });
      return store.load(run);
    };
    expect((await loadThroughArchive(load, async () => pack)(RUN)).entries).toEqual([...entries, stub]);
  });

  test.each([
    ['once if it has not ended', 'PROCESS_LOG', 1],
    ['twice if it has ended', 'RUN_HALTED', 2],
  ] as const)('whose journal is corrupted is read %s', async (_, last, times) => {
    const { entries } = new JournalBuilder().add(
      CREATED,
      draft('PROCESS_LOG', { message: 1 }),
      last === 'RUN_HALTED' ? draft(last, {}) : draft(last, { message: 2 }),
    );
    const messages = entries.map((entry, i) => ({ seq: i, data: encodeCommit({ entries: [entry], epoch: 1 }) }));
    let reads = 0;
    const read = async () => {
      reads += 1;
      return messages.toSpliced(1, 1);
    };
    const store = streamJournalStore({ ...memoryStream(), read });
    await expect(loadThroughArchive(store.load, async () => new Uint8Array())(RUN)).rejects.toThrow(
      CorruptedJournalError,
    );
    expect(reads).toBe(times);
  });

  test('a run that is not archived is read without the archive', async () => {
    const store = streamJournalStore(memoryStream());
    const { entries } = finished();
    await store.append(RUN, { entries, epoch: 1 }, 0);
    const fetch = async () => {
      throw new Error('must not be called');
    };
    expect((await loadThroughArchive(store.load, fetch)(RUN)).entries).toEqual(entries);
  });
});
