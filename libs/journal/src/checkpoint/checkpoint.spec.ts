import { describe, expect, test } from '@jest/globals';
import { ReinsError, type RunAddress } from '@reins/contracts';
import fc from 'fast-check';
import { journalStoreContract } from '../contract/index.ts';
import { encodeCommit } from '../entries/commit-codec.ts';
import type { Entry } from '../entries/entry.ts';
import { DamagedJournal } from '../store/damaged-journal.ts';
import { memoryStream } from '../store/memory-stream.ts';
import type { StreamMessage, StreamPort, WhichMessages } from '../store/stream-port.ts';
import { streamJournalLoader, streamJournalStore } from '../store/stream-store.ts';
import { CREATED, draft, JournalBuilder, journals, RUN } from '../testing/journals.ts';
import { MemoryCheckpoints } from '../testing/memory-checkpoints.ts';
import type { Checkpoint } from './checkpoint.ts';
import { extendCheckpoint } from './extend-checkpoint.ts';

const EVERY = 4;
const log = (message: number) => draft('PROCESS_LOG', { message });
const logs = (count: number) =>
  new JournalBuilder().add(CREATED, ...Array.from({ length: count - 1 }, (_, i) => log(i)));

/** A stream of one journal, each message so many entries; what is read of it is noted. */
class Stream implements Pick<StreamPort, 'read'> {
  messages: StreamMessage[] = [];
  readonly reads: WhichMessages[] = [];

  /** @param sizes of the commits, over and over */
  append(entries: readonly Entry[], sizes: readonly number[] = [1]): this {
    for (let at = 0, commit = 0; at < entries.length; commit += 1) {
      const some = entries.slice(at, at + (sizes[commit % sizes.length] ?? 1));
      at += some.length;
      const seq = 10 * (this.messages.length + 1);
      this.messages.push({ seq, data: encodeCommit({ entries: some, epoch: 1 + (this.messages.length % 3) }) });
    }
    return this;
  }

  async read(_: string, which: WhichMessages = {}): Promise<readonly StreamMessage[]> {
    this.reads.push(which);
    return this.messages.filter(({ seq }) => seq >= (which.fromSeq ?? 0)).slice(0, which.atMost);
  }
}

function setUp() {
  const [stream, checkpoints] = [new Stream(), new MemoryCheckpoints()];
  return {
    stream,
    checkpoints,
    extend: () => extendCheckpoint({ port: stream, checkpoints, every: EVERY }, RUN),
    load: streamJournalLoader(stream, { checkpoints, lookAfter: 2 }),
    loadWhole: streamJournalLoader(stream),
  };
}

describe('a journal store with checkpoints', () => {
  const [stream, checkpoints] = [memoryStream(), new MemoryCheckpoints()];
  const plain = streamJournalStore(stream, { checkpoints, lookAfter: 1 });
  const store: typeof plain = {
    ...plain,
    append: async (run, ...rest) => {
      const answer = await plain.append(run, ...rest);
      await extendCheckpoint({ port: stream, checkpoints, every: 2 }, run);
      return answer;
    },
  };
  let runs = 0;
  const newRun = (): RunAddress => ({ workspaceId: 'ws', runId: `run-${runs++}` });
  test.each(journalStoreContract)('$name', async ({ check }) => check({ store, other: store, newRun }));
});

describe('a checkpoint', () => {
  test('gives the journal as the stream has it, of which only what came after is read', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(journals, sizes, fc.nat(30), async (entries, commitSizes, later) => {
        const { stream, checkpoints, extend, load, loadWhole } = setUp();
        const split = Math.max(0, entries.length - later);
        stream.append(entries.slice(0, split), commitSizes);
        await extend();
        stream.append(entries.slice(split), commitSizes);
        const kept = checkpoints.of(RUN);
        stream.reads.length = 0;
        expect(await load(RUN)).toEqual({ epoch: 0, ...(await loadWhole(RUN)) });
        if (kept && stream.messages.length > 1)
          expect(stream.reads.slice(0, 2)).toEqual([{ atMost: 2 }, { fromSeq: kept.position }]);
      }),
      { numRuns: 200 },
    );
  });

  test('ends with the first commit that makes a part full, whoever makes it, and however much is there by then', async () => {
    const { entries } = logs(23);
    const [often, once] = [setUp(), setUp()];
    for (const entry of entries) {
      often.stream.append([entry]);
      await often.extend();
    }
    once.stream.append(entries);
    await Promise.all([once.extend(), once.extend()]);
    expect(once.checkpoints.of(RUN)).toEqual({ ...often.checkpoints.of(RUN), position: once.stream.messages[19]?.seq });
    expect(once.checkpoints.of(RUN)?.version).toBe(20);
    expect(once.checkpoints.parts.size).toBe(5);
  });

  test('is not looked for by who reads a short journal', async () => {
    const { stream, checkpoints, load } = setUp();
    stream.append(logs(12).entries, [12]);
    await load(RUN);
    expect(checkpoints.looks).toBe(0);
    expect(stream.reads).toEqual([{ atMost: 2 }]);
  });

  test.each<[string, (parts: Map<string, Uint8Array>) => void]>([
    ['lost', (parts) => parts.clear()],
    ['changed', (parts) => void [...parts.values()].map((part) => part.fill(0, 12, 20))],
  ])('of which a part is %s is forgotten, and made again', async (_, harm) => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await extend();
    harm(checkpoints.parts);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
    expect(checkpoints.of(RUN)).toBeUndefined();
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(12);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
  });

  test.each([
    [
      'another commit at its end',
      (all: StreamMessage[]) => [...all.slice(0, 11), ...all.slice(12), ...all.slice(0, 3)],
    ],
    ['less than it', (all: StreamMessage[]) => all.slice(0, 9)],
  ])('of a stream that has %s by now is forgotten', async (_, change) => {
    for (const use of ['load', 'extend'] as const) {
      const { stream, checkpoints, ...doors } = setUp();
      stream.append(logs(14).entries);
      await doors.extend();
      expect(checkpoints.of(RUN)?.version).toBe(12);
      stream.messages = change(stream.messages).map(({ data }, index) => ({ seq: 10 * (index + 1), data }));
      await (use === 'load' ? doors.load(RUN) : doors.extend()).catch(() => undefined);
      expect(checkpoints.of(RUN)).toBeUndefined();
      expect(checkpoints.parts.size).toBe(0);
    }
  });

  test('that cannot be read just now stays, and its run is read without it', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await extend();
    const away = new ReinsError({ code: 'bus_unavailable', message: 'nobody answers' });
    checkpoints.get = () => Promise.reject(away);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
    expect(checkpoints.of(RUN)?.version).toBe(12);
    checkpoints.find = () => Promise.reject(away);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
  });

  test('whose note is none is forgotten', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await checkpoints.keep(RUN, { position: 1 } as unknown as Checkpoint, undefined);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(12);
  });

  test('spares its run what happens to the stream before it, and hides nothing behind it', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    const { entries } = logs(15);
    stream.append(entries);
    await extend();
    stream.messages[3] = { seq: 40, data: new Uint8Array(3) };
    expect((await load(RUN)).entries).toEqual(entries);
    await expect(loadWhole(RUN)).rejects.toThrow(DamagedJournal);
    stream.messages[13] = { seq: 140, data: new Uint8Array(3) };
    await expect(load(RUN)).rejects.toThrow(DamagedJournal);
    expect(checkpoints.of(RUN)).toBeUndefined();
  });

  test('takes in nothing behind what cannot be read', async () => {
    const { stream, checkpoints, extend } = setUp();
    stream.append(logs(14).entries);
    stream.messages[9] = { seq: 100, data: new Uint8Array(3) };
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(8);
  });

  test('with a commit that is not what was written is of no use', async () => {
    const { stream, checkpoints, extend, load } = setUp();
    stream.append(logs(14).entries);
    const written = stream.messages[5] as StreamMessage;
    const text = new TextDecoder().decode(written.data);
    stream.messages[5] = { seq: 60, data: new TextEncoder().encode(text.replace('"message":4', '"message":5')) };
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(12);
    await expect(load(RUN)).rejects.toThrow(/entry 6 .*its hash is not that of its content/);
    expect(checkpoints.of(RUN)).toBeUndefined();
  });

  test('of another run is of no use', async () => {
    const { stream, checkpoints, load } = setUp();
    const { entries } = logs(14);
    const other = { workspaceId: RUN.workspaceId, runId: '02RUN' };
    const foreign = new Stream().append(
      new JournalBuilder().add(CREATED, ...Array.from({ length: 13 }, () => log(7))).entries,
    );
    await extendCheckpoint({ port: foreign, checkpoints, every: EVERY }, other);
    const found = await checkpoints.find(other);
    if (found) await checkpoints.keep(RUN, found.checkpoint, undefined);
    expect(checkpoints.of(RUN)?.version).toBe(12);
    stream.append(entries);
    expect((await load(RUN)).entries).toEqual(entries);
  });

  test('that came in place of one that is forgotten stays', async () => {
    const { stream, checkpoints, extend } = setUp();
    stream.append(logs(9).entries);
    await extend();
    const early = await checkpoints.find(RUN);
    stream.append(logs(14).entries.slice(9));
    await extend();
    await checkpoints.forget(RUN, early);
    expect(checkpoints.of(RUN)?.version).toBe(12);
  });
});
