import { type Appender, type Blobs, type Bus, externalise, inline, readSubject } from '@reins/bus';
import { defined, isReinsError } from '@reins/contracts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';

/** The stream with the journals of an installation. */
const JOURNAL = 'JOURNAL';

/**
 * The journal stream as the port of the journal store. A commit that exceeds the message size limit is stored in the
 * blobs.
 */
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

/** Reads the messages of a journal's subject, up to the last one that the stream leader had when the read began. */
export function journalReader(bus: Bus, blobs: Blobs): StreamPort['read'] {
  return async (subject, { fromSeq, atMost } = {}) => {
    const messages: StreamMessage[] = [];
    const which = defined({ fromSeq, batch: atMost });
    for await (const { seq, data } of readSubject(bus, JOURNAL, subject, which)) {
      messages.push(await contentOf(blobs, { seq, data }));
      if (messages.length === atMost) break;
    }
    return messages;
  };
}

/** A lost content is corruption of this journal, not an error of the connection. */
async function contentOf(blobs: Blobs, { seq, data }: StreamMessage): Promise<StreamMessage> {
  try {
    return { seq, data: await inline(blobs, data) };
  } catch (error) {
    if (!isReinsError(error) || !LOST_CONTENT.has(error.code)) throw error;
    const where = `commit at sequence ${seq}`;
    return { seq, data, problem: { code: 'journal_corrupt', message: `${where}: ${error.message}`, path: where } };
  }
}

const LOST_CONTENT: ReadonlySet<string> = new Set(['blob_not_found', 'blob_corrupt']);
