import { createInbox, headers, type MsgHdrs } from '@nats-io/nats-core';
import { Appender, type Bus } from '../src/index.ts';
import type { PlainClient } from './plain-client.ts';
import { type Contestant, interleave, type Measured } from './rounds.ts';

const BODY = new Uint8Array(256).fill(0x78);

const subjectOf = (prefix: string, round: number, run: number): string => `journal.1.ws.${prefix}-${round}-${run}`;

function casHeaders(id: string, expected: number): MsgHdrs {
  const all = headers();
  all.set('Nats-Msg-Id', id);
  all.set('Nats-Expected-Last-Subject-Sequence', String(expected));
  return all;
}

type Append = (subject: string, id: string, expected: number) => Promise<number>;

/** Appends in chains: each append follows the previous one. */
async function chains(append: Append, prefix: string, round: number, count: number, runs: number): Promise<void> {
  const chain = async (run: number): Promise<void> => {
    const subject = subjectOf(prefix, round, run);
    let expected = 0;
    for (let step = 0; step < count / runs; step++) expected = await append(subject, `${subject}-${step}`, expected);
  };
  await Promise.all(Array.from({ length: runs }, (_, run) => chain(run)));
}

function contestant(name: string, prefix: string, runs: number, append: Append): Contestant {
  return { name, run: (round, count) => chains(append, prefix, round, count, runs) };
}

/** The minimal compare-and-set: one reply inbox, a number for each append, a promise for its reply. */
function bareAppend({ nc }: PlainClient): Append {
  const inbox = createInbox();
  const waiting = new Map<number, (seq: number) => void>();
  let next = 0;
  nc.subscribe(`${inbox}.*`, {
    callback: (_error, reply) => {
      const number = Number(reply.subject.slice(inbox.length + 1));
      waiting.get(number)?.(reply.json<{ seq: number }>().seq);
      waiting.delete(number);
    },
  });
  return (subject, id, expected) =>
    new Promise((resolve) => {
      const number = next++;
      waiting.set(number, resolve);
      nc.publish(subject, BODY, { reply: `${inbox}.${number}`, headers: casHeaders(id, expected) });
    });
}

function clientAppend({ js }: PlainClient): Append {
  return async (subject, msgID, expected) =>
    (await js.publish(subject, BODY, { msgID, expect: { lastSubjectSequence: expected } })).seq;
}

function reinsAppend(bus: Bus): Append {
  const appender = new Appender(bus, { stream: 'JOURNAL' });
  return async (subject, msgId, expectedLastSubjectSeq) => {
    const result = await appender.append({ subject, data: BODY, msgId, expectedLastSubjectSeq });
    if (result.outcome === 'fenced') throw new Error(`${subject} was fenced`);
    return result.seq;
  };
}

/** Measures appends of 256 bytes to `runs` journals concurrently. */
export function measureAppend(
  bus: Bus,
  client: PlainClient,
  rounds: number,
  count: number,
  runs: number,
): Promise<Measured[]> {
  return interleave(
    [
      contestant('Appender', `o${runs}`, runs, reinsAppend(bus)),
      contestant('bare compare-and-set', `b${runs}`, runs, bareAppend(client)),
      contestant('js.publish', `c${runs}`, runs, clientAppend(client)),
    ],
    rounds,
    count,
  );
}
