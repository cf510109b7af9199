import { describe, expect, it } from '@jest/globals';
import { BusMessage } from '../consume/message.ts';
import { type ReaderGap, type ReaderOptions, ReaderPosition } from './ordered-reader.ts';
import type { MessageSource } from './stream-position.ts';

/** A log of messages by sequence. The id and the second at which each was stored. */
type Log = Readonly<Record<number, readonly [id: string, second: number]>>;

const timeOf = (second: number): Date => new Date(second * 1_000);

function sourceOf(log: Log): MessageSource {
  const all = Object.entries(log).map(([seq, [id, second]]) => ({
    seq: Number(seq),
    time: timeOf(second),
    header: (name: string) => (name === 'ce-id' ? id : undefined),
  }));
  return { atOrAfter: async (seq) => all.find((message) => message.seq >= seq) };
}

const stateOf = (log: Log, created = 'then') => {
  const all = Object.keys(log).map(Number);
  return { created, state: { first_seq: all.at(0) ?? 1, last_seq: all.at(-1) ?? 0 } };
};

/** A log with the messages `m<seq>`, each stored one second after the one before. */
const logOf = (first: number, last: number, prefix = 'm', startSecond = first): Log =>
  Object.fromEntries(
    Array.from({ length: last - first + 1 }, (_, n) => [
      first + n,
      [`${prefix}${first + n}`, startSecond + n] as const,
    ]),
  );

/** A reader that has handled the message at `read`, if given. */
function readerOf(from: ReaderOptions['from'], read?: { readonly log: Log; readonly seq: number }) {
  const gaps: ReaderGap[] = [];
  let log: Log = {};
  const source: MessageSource = { atOrAfter: (seq) => sourceOf(log).atOrAfter(seq) };
  const place = new ReaderPosition(from, source, (gap) => gaps.push(gap));
  return {
    gaps,
    place,
    start: (now: Log, created?: string) => {
      log = now;
      return place.startAt(stateOf(now, created));
    },
    read: async () => {
      if (!read) return;
      log = read.log;
      await place.startAt(stateOf(read.log));
      const [id, second] = read.log[read.seq] ?? ['', 0];
      place.advanceTo(messageOf(read.seq, id, timeOf(second)));
    },
  };
}

function messageOf(seq: number, id: string, time: Date): BusMessage {
  const headers = [['ce-id', [id]]] as unknown as NonNullable<ConstructorParameters<typeof BusMessage>[0]['headers']>;
  const raw = { headers } as ConstructorParameters<typeof BusMessage>[0];
  const delivery = { stream: 's', consumer: 'c', deliveries: 1, streamSeq: seq, consumerSeq: 1, pending: 0 };
  return new BusMessage(raw, { ...delivery, timeMs: time.getTime() }, new AbortController().signal);
}

describe('the position of a reader', () => {
  it('starts at the requested sequence, or after the last message', async () => {
    expect(await readerOf(1).start(logOf(5, 9))).toMatchObject({ opt_start_seq: 1 });
    expect(await readerOf('new').start(logOf(5, 9))).toMatchObject({ opt_start_seq: 10 });
    expect(await readerOf('new').start({})).toMatchObject({ opt_start_seq: 1 });
    expect(await readerOf({ seq: 7 }).start(logOf(5, 9))).toMatchObject({ opt_start_seq: 8 });
  });

  it('continues after the last message without a gap', async () => {
    const reader = readerOf(1, { log: logOf(1, 9), seq: 7 });
    await reader.read();
    expect(await reader.start(logOf(3, 20))).toMatchObject({ opt_start_seq: 8 });
    // Also when the last message was removed, and there is nothing to compare.
    expect(await reader.start(logOf(8, 20))).toMatchObject({ opt_start_seq: 8 });
    expect(reader.gaps).toEqual([]);
  });

  it('detects messages that the limits of the stream removed', async () => {
    const reader = readerOf(1, { log: logOf(1, 9), seq: 7 });
    await reader.read();
    expect(await reader.start(logOf(12, 20))).toMatchObject({ opt_start_seq: 12 });
    expect(reader.gaps).toEqual([{ reason: 'trimmed', expectedSeq: 8, nextSeq: 12 }]);
  });

  it('detects a stream that was set back', async () => {
    const reader = readerOf(1, { log: logOf(1, 100), seq: 100 });
    await reader.read();
    expect(await reader.start(logOf(1, 90))).toMatchObject({ opt_start_seq: 91 });
    expect(reader.gaps).toEqual([{ reason: 'rewound', expectedSeq: 101, nextSeq: 91 }]);
  });

  it.each([
    ['and has not grown to its position', 95],
    ['and has grown to its position', 100],
    ['and has grown past its position', 150],
  ])('reads everything that is new in a stream that was set back, %s', async (_, last) => {
    const reader = readerOf(1, { log: logOf(1, 100), seq: 100 });
    await reader.read();
    const now = { ...logOf(1, 90), ...logOf(91, last, 'new', 200) };
    expect(await reader.start(now)).toMatchObject({ opt_start_seq: 91 });
    expect(reader.gaps).toEqual([{ reason: 'rewound', expectedSeq: 101, nextSeq: 91 }]);
  });

  it('recognises the stream by the last message when it starts at the end', async () => {
    const reader = readerOf('new');
    await reader.start(logOf(1, 100));
    await reader.start({ ...logOf(1, 90), ...logOf(91, 150, 'new', 200) });
    expect(reader.gaps).toEqual([{ reason: 'rewound', expectedSeq: 101, nextSeq: 91 }]);
  });

  it.each([
    ['the id', { ceId: 'm50' }, [{ reason: 'rewound', expectedSeq: 51, nextSeq: 101 }]],
    ['the time', { time: timeOf(50).toISOString() }, [{ reason: 'rewound', expectedSeq: 51, nextSeq: 41 }]],
    ['nothing, as in earlier versions,', {}, []],
  ])('compares a checkpoint with %s of its message', async (_, known, gaps) => {
    const reader = readerOf({ seq: 50, ...known });
    await reader.start({ ...logOf(1, 40), ...logOf(41, 100, 'new', 200) });
    expect(reader.gaps).toEqual(gaps);
  });

  it('detects a different stream with the same name', async () => {
    const reader = readerOf(1, { log: logOf(1, 9), seq: 9 });
    await reader.read();
    expect(await reader.start(logOf(1, 200, 'new', 300), 'later')).toMatchObject({ opt_start_seq: 1 });
    const checkpoint = readerOf({ seq: 9, created: 'then' });
    expect(await checkpoint.start(logOf(1, 200), 'later')).toMatchObject({ opt_start_seq: 1 });
    expect([...reader.gaps, ...checkpoint.gaps]).toEqual(
      Array.from({ length: 2 }, () => ({ reason: 'replaced', expectedSeq: 10, nextSeq: 1 })),
    );
  });
});
