import { type Appender, type Blobs, type Bus, externalise, inline, readSubject } from '@reins/bus';
import type { StreamMessage, StreamPort } from '../store/stream-store.ts';

/** The stream that has the journals of an installation. */
export const JOURNAL = 'JOURNAL';

/** The journal stream as the port that the journal store wants. A commit that is too large for the log lies in the blobs. */
export function journalPort(bus: Bus, appender: Appender, blobs: Blobs): StreamPort {
  return {
    async append(subject, data, msgId, expectedLastSubjectSeq) {
      const result = await appender.append({
        subject,
        data: await externalise(blobs, data),
        msgId,
        expectedLastSubjectSeq,
      });
      return result.outcome === 'stored' ? result : { outcome: 'fenced' };
    },
    read: journalReader(bus, blobs),
  };
}

/** Every message of a journal's subject, up to the last one that the leader had when it was asked. */
export function journalReader(bus: Bus, blobs: Blobs): StreamPort['read'] {
  return async (subject) => {
    const messages: StreamMessage[] = [];
    for await (const { seq, data } of readSubject(bus, JOURNAL, subject))
      messages.push({ seq, data: await inline(blobs, data) });
    return messages;
  };
}
