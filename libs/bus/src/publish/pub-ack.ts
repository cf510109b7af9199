import type { Msg } from '@nats-io/nats-core';
import type { Problem } from '@reins/contracts';

/** The stream's acknowledgement of a stored message. */
export interface PublishReceipt {
  readonly stream: string;
  readonly seq: number;
  /** The stream already had a message with this id. */
  readonly duplicate: boolean;
}

/** The outcome of one publish. */
export type PublishOutcome =
  | { readonly kind: 'stored'; readonly stored: PublishReceipt }
  /** The expected last sequence does not match. The existing message may be this one, stored by an earlier send. */
  | { readonly kind: 'conflict'; readonly stream: string }
  /** A temporary error: the same message may be accepted later. */
  | { readonly kind: 'retryable'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** JetStream API error codes for publishes. */
const CODE = {
  wrongLastSequence: 10071,
  wrongLastSequenceUnknown: 10164,
  duplicateInProcess: 10158,
  messageTooLarge: 10054,
  storeFailed: 10077,
} as const;

/** Limits of the account, and of the memory and the disk of the server. Room may be made for the message later. */
const NO_ROOM: ReadonlySet<number | undefined> = new Set([10002, 10028, 10047]);
/** Why a message was not stored: a limit of the stream, or a full disk. */
const NO_ROOM_TEXT = /maximum|no space left|resource limits exceeded/;

interface PubAck {
  readonly stream?: string;
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly code: number; readonly err_code?: number; readonly description?: string };
}

const NO_STREAM: PublishOutcome = { kind: 'retryable', message: 'no stream responded on this subject' };

export function parsePubAck(reply: Msg): PublishOutcome {
  // No responders: the stream has no leader at the moment, or no stream has the subject.
  if (reply.data.length === 0) return NO_STREAM;
  const ack = parse(reply);
  if (!ack) return { kind: 'retryable', message: 'the reply is not a publish acknowledgement' };
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
  if (NO_ROOM.has(error.err_code)) return refused(noRoom(message));
  switch (error.err_code) {
    case CODE.wrongLastSequence:
    case CODE.wrongLastSequenceUnknown:
      return { kind: 'conflict', stream };
    case CODE.duplicateInProcess:
      return { kind: 'retryable', message };
    case CODE.messageTooLarge:
      return refused({ code: 'bus_message_too_large', message });
    case CODE.storeFailed:
      return NO_ROOM_TEXT.test(message) ? refused(noRoom(message)) : { kind: 'retryable', message };
    default:
      return error.code === 503 ? { kind: 'retryable', message } : refused({ code: 'bus_publish_refused', message });
  }
}

const refused = (problem: Problem): PublishOutcome => ({ kind: 'refused', problem });

const noRoom = (message: string): Problem => ({
  code: 'bus_stream_full',
  message,
  hint: 'Raise the limits of the stream or of the account, make room on the disk, or purge old messages.',
});
