import type { StreamAppended, StreamMessage, StreamPort } from './stream-port.ts';

/** A stream in memory, for simulation and tests. It has one sequence over all subjects, like JetStream. */
export function memoryStream(): StreamPort {
  const subjects = new Map<string, (StreamMessage & { readonly msgId: string })[]>();
  let seq = 0;

  function append(subject: string, data: Uint8Array, msgId: string, expected: number): StreamAppended {
    const messages = subjects.get(subject) ?? [];
    const last = messages.at(-1);
    if (last?.msgId === msgId) return { outcome: 'stored', seq: last.seq };
    if ((last?.seq ?? 0) !== expected) return { outcome: 'fenced' };
    seq += 1;
    messages.push({ seq, data: data.slice(), msgId });
    subjects.set(subject, messages);
    return { outcome: 'stored', seq };
  }

  return {
    append: async (subject, data, msgId, expected) => append(subject, data, msgId, expected),
    read: async (subject, { fromSeq = 0, atMost = Number.POSITIVE_INFINITY } = {}) =>
      (subjects.get(subject) ?? [])
        .filter(({ seq }) => seq >= fromSeq)
        .slice(0, atMost)
        .map((message) => ({ seq: message.seq, data: message.data.slice() })),
  };
}
