import type { Msg } from '@nats-io/nats-core';
import type { Problem } from '@reins/contracts';

/** A message that a stream has taken. */
export interface PublishReceipt {
  readonly stream: string;
  readonly seq: number;
  /** It was there already, under the same id. */
  readonly duplicate: boolean;
}

/** What the server said of one publish. */
export type PublishOutcome =
  | { readonly kind: 'stored'; readonly stored: PublishReceipt }
  /** The expected last sequence is not the one of the subject; the message may be its own rival. */
  | { readonly kind: 'conflict'; readonly stream: string }
  /** Not taken now; the same bytes may be later. */
  | { readonly kind: 'later'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Codes of the JetStream API that a publish can meet. */
const CODE = {
  wrongLastSequence: 10071,
  wrongLastSequenceUnknown: 10164,
  duplicateInProcess: 10158,
  messageTooLarge: 10054,
  storeFailed: 10077,
} as const;

interface PubAck {
  readonly stream?: string;
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description?: string };
}

const LATER: PublishOutcome = { kind: 'later', message: 'no stream answers on this subject' };

export function parsePubAck(reply: Msg): PublishOutcome {
  // Nobody listens: the stream has no leader at this moment, or there is none for the subject.
  if (reply.data.length === 0) return LATER;
  const ack = parse(reply);
  if (!ack) return { kind: 'later', message: 'the answer is not one of a stream' };
  if (ack.error) return readError(ack.error, ack.stream ?? '');
  return { kind: 'stored', stored: { stream: ack.stream ?? '', seq: ack.seq ?? 0, duplicate: ack.duplicate === true } };
}

function parse(reply: Msg): PubAck | undefined {
  try {
    const answer = reply.json<PubAck | null>();
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    return undefined;
  }
}

function readError(error: NonNullable<PubAck['error']>, stream: string): PublishOutcome {
  const message = error.description ?? `error ${error.err_code}`;
  switch (error.err_code) {
    case CODE.wrongLastSequence:
    case CODE.wrongLastSequenceUnknown:
      return { kind: 'conflict', stream };
    case CODE.duplicateInProcess:
      return { kind: 'later', message };
    case CODE.messageTooLarge:
      return refused({ code: 'bus_message_too_large', message });
    case CODE.storeFailed:
      if (/maximum/.test(message)) {
        return refused({
          code: 'bus_stream_full',
          message,
          hint: 'raise the limits of the stream, or archive and purge',
        });
      }
      return { kind: 'later', message };
    default:
      return error.code === 503 ? { kind: 'later', message } : refused({ code: 'bus_publish_refused', message });
  }
}

const refused = (problem: Problem): PublishOutcome => ({ kind: 'refused', problem });
