import { describe, expect, test } from '@jest/globals';
import { ReinsError, type RunAddress } from '@reins/contracts';
import fc from 'fast-check';
import { journalStoreContract } from '../contract/index.ts';
import { encodeCommit } from '../entries/commit-codec.ts';
import type { Entry } from '../entries/entry.ts';
import { CorruptedJournalError } from '../store/corrupted-journal-error.ts';
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

/** A stream of one journal with messages of the given numbers of entries. Records what is read. */
class Stream implements Pick<StreamPort, 'read'> {
  messages: StreamMessage[] = [];
  readonly reads: WhichMessages[] = [];

  /** @param sizes of the commits, repeated */
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
    load: streamJournalLoader(stream, { checkpoints, checkpointThreshold: 2 }),
    loadWhole: streamJournalLoader(stream),
  };
}

describe('a journal store with checkpoints', () => {
  const [stream, checkpoints] = [memoryStream(), new MemoryCheckpoints()];
  const plain = streamJournalStore(stream, { checkpoints, checkpointThreshold: 1 });
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
  test('gives the same journal as the stream, and reads only newer commits from it', async () => {
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

  test('ends parts at the same commits, independent of who makes them and when', async () => {
    const { entries } = logs(23);
    const [incremental, single] = [setUp(), setUp()];
    for (const entry of entries) {
      incremental.stream.append([entry]);
      await incremental.extend();
    }
    single.stream.append(entries);
    await Promise.all([single.extend(), single.extend()]);
    expect(single.checkpoints.of(RUN)).toEqual({
      ...incremental.checkpoints.of(RUN),
      position: single.stream.messages[19]?.seq,
    });
    expect(single.checkpoints.of(RUN)?.version).toBe(20);
    expect(single.checkpoints.parts.size).toBe(5);
  });

  test('is not looked up for a short journal', async () => {
    const { stream, checkpoints, load } = setUp();
    stream.append(logs(12).entries, [12]);
    await load(RUN);
    expect(checkpoints.lookups).toBe(0);
    expect(stream.reads).toEqual([{ atMost: 2 }]);
  });

  test.each<[string, (parts: Map<string, Uint8Array>) => void]>([
    ['lost', (parts) => parts.clear()],
    ['changed', (parts) => void [...parts.values()].map((part) => part.fill(0, 12, 20))],
  ])('with %s part is removed and made again', async (_, corrupt) => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await extend();
    corrupt(checkpoints.parts);
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
    ['fewer messages', (all: StreamMessage[]) => all.slice(0, 9)],
  ])('is removed when the stream now has %s', async (_, change) => {
    for (const use of ['load', 'extend'] as const) {
      const { stream, checkpoints, ...client } = setUp();
      stream.append(logs(14).entries);
      await client.extend();
      expect(checkpoints.of(RUN)?.version).toBe(12);
      stream.messages = change(stream.messages).map(({ data }, index) => ({ seq: 10 * (index + 1), data }));
      await (use === 'load' ? client.load(RUN) : client.extend()).catch(() => undefined);
      expect(checkpoints.of(RUN)).toBeUndefined();
      expect(checkpoints.parts.size).toBe(0);
    }
  });

  test('that is temporarily unavailable stays, and the run is read without it', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await extend();
    const away = new ReinsError({ code: 'bus_unavailable', message: 'no reply' });
    checkpoints.get = () => Promise.reject(away);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
    expect(checkpoints.of(RUN)?.version).toBe(12);
    checkpoints.find = () => Promise.reject(away);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
  });

  test('with an invalid record is removed', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    stream.append(logs(14).entries);
    await checkpoints.keep(RUN, { position: 1 } as unknown as Checkpoint, undefined);
    expect(await load(RUN)).toEqual(await loadWhole(RUN));
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(12);
  });

  test('makes its run independent of earlier messages, and hides nothing after it', async () => {
    const { stream, checkpoints, extend, load, loadWhole } = setUp();
    const { entries } = logs(15);
    stream.append(entries);
    await extend();
    stream.messages[3] = { seq: 40, data: new Uint8Array(3) };
    expect((await load(RUN)).entries).toEqual(entries);
    await expect(loadWhole(RUN)).rejects.toThrow(CorruptedJournalError);
    stream.messages[13] = { seq: 140, data: new Uint8Array(3) };
    await expect(load(RUN)).rejects.toThrow(CorruptedJournalError);
    expect(checkpoints.of(RUN)).toBeUndefined();
  });

  test('stops at a commit that cannot be read', async () => {
    const { stream, checkpoints, extend } = setUp();
    stream.append(logs(14).entries);
    stream.messages[9] = { seq: 100, data: new Uint8Array(3) };
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(8);
  });

  test('with an altered commit is not used', async () => {
    const { stream, checkpoints, extend, load } = setUp();
    stream.append(logs(14).entries);
    const written = stream.messages[5] as StreamMessage;
    const text = new TextDecoder().decode(written.data);
    stream.messages[5] = { seq: 60, data: new TextEncoder().encode(text.replace('"message":4', '"message":5')) };
    await extend();
    expect(checkpoints.of(RUN)?.version).toBe(12);
    await expect(load(RUN)).rejects.toThrow(/entry 6 .*its hash does not match its content/);
    expect(checkpoints.of(RUN)).toBeUndefined();
  });

  test('of another run is not used', async () => {
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

  test('that replaced a removed one stays', async () => {
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
