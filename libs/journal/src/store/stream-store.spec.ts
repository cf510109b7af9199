import { describe, expect, test } from '@jest/globals';
import { journalSubject } from '@reins/contracts';
import { journalStoreContract } from '../contract/index.ts';
import { decodeCommit, encodeCommit } from '../entries/commit-codec.ts';
import { CREATED, draft, JournalBuilder, RUN } from '../testing/journals.ts';
import { CorruptedJournalError } from './corrupted-journal-error.ts';
import { memoryStream } from './memory-stream.ts';
import type { StreamPort } from './stream-port.ts';
import { streamJournalStore } from './stream-store.ts';

/** A stream whose messages can be rewritten, as by a faulty disk. */
function rewritableStream(): StreamPort & { rewrite(subject: string, change: (data: Uint8Array) => Uint8Array): void } {
  const stream = memoryStream();
  const changes = new Map<string, (data: Uint8Array) => Uint8Array>();
  return {
    append: stream.append,
    rewrite: (subject, change) => changes.set(subject, change),
    read: async (subject, which) => {
      const change = changes.get(subject) ?? ((data: Uint8Array) => data);
      return (await stream.read(subject, which)).map(({ seq, data }) => ({ seq, data: change(data) }));
    },
  };
}

describe('the store on a stream', () => {
  const stream = rewritableStream();
  let runs = 0;
  const subject = {
    store: streamJournalStore(stream),
    other: streamJournalStore(stream),
    newRun: () => ({ workspaceId: 'ws', runId: `run-${runs++}` }),
    damage: async (run: typeof RUN) =>
      stream.rewrite(journalSubject(run), (data) =>
        new TextEncoder().encode(new TextDecoder().decode(data).replace('"two"', '"2wo"')),
      ),
  };
  test.each(journalStoreContract)('$name', async ({ check }) => check(subject));

  test('stores a commit as one message on the subject of its run, with the hash of its last entry as id', async () => {
    const sent: { subject: string; msgId: string; expected: number; epoch: number }[] = [];
    const port: StreamPort = {
      append: async (to, data, msgId, expected) => {
        sent.push({ subject: to, msgId, expected, epoch: decodeCommit(data).epoch });
        return { outcome: 'stored', seq: 12 };
      },
      read: async () => [],
    };
    const { entries } = new JournalBuilder().add(CREATED, draft('PROCESS_LOG', { message: 1 }));
    const answer = await streamJournalStore(port, { partitions: 4 }).append(RUN, { entries, epoch: 9 }, 5);
    expect(answer).toEqual({ outcome: 'stored', position: 12 });
    expect(sent).toEqual([{ subject: journalSubject(RUN, 4), msgId: entries[1]?.hash, expected: 5, epoch: 9 }]);
  });

  test.each(['whole', 'damaged'])('yields to the event loop while it reads a long journal that is %s', async (how) => {
    const { entries } = new JournalBuilder().add(
      CREATED,
      ...Array.from({ length: 4_999 }, (_, message) => draft('PROCESS_LOG', { message })),
    );
    const commits = Array.from({ length: 50 }, (_, i) => entries.slice(i * 100, i * 100 + 100));
    const messages = commits.map((some, i) => ({ seq: i + 1, data: encodeCommit({ entries: some, epoch: 1 }) }));
    const torn = how === 'damaged' ? [{ seq: 51, data: new Uint8Array(3) }] : [];
    const port = { ...stream, read: async () => [...messages, ...torn] };
    let turns = 0;
    const count = (): void => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await streamJournalStore(port)
      .load(RUN)
      .catch((error) => expect(error).toBeInstanceOf(CorruptedJournalError));
    clearImmediate(counting);
    // Decoding, verification and recovery yield after every 500 steps.
    expect(turns).toBeGreaterThan(how === 'damaged' ? 35 : 17);
  });

  test('names an unreadable message by its sequence', async () => {
    const { entries } = new JournalBuilder().add(CREATED);
    const good = encodeCommit({ entries, epoch: 1 });
    const port: StreamPort = {
      append: async () => ({ outcome: 'fenced' }),
      read: async () => [
        { seq: 4, data: good },
        { seq: 7, data: good.slice(1) },
      ],
    };
    await expect(streamJournalStore(port).load(RUN)).rejects.toThrow(/^commit at sequence 7: /);
  });
});
