import { type Problem, ReinsError } from '@reins/contracts';
import { type EventHeaders, type ExtraHeaders, HEADER } from './headers.ts';
import type { PublishReceipt } from './pub-ack.ts';

export interface OutgoingMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: EventHeaders;
  readonly extra?: ExtraHeaders;
  /** `Nats-Expected-Last-Subject-Sequence`; 0 = the first message of its subject. */
  readonly expectedLastSubjectSeq?: number;
}

export type AckCallback = (error: ReinsError | undefined, stored: PublishReceipt | undefined) => void;

/** Headers in addition to those of the event. */
export function extraHeaders({ extra, expectedLastSubjectSeq }: OutgoingMessage): ExtraHeaders | undefined {
  if (expectedLastSubjectSeq === undefined) return extra;
  return { ...extra, [HEADER.expectedLastSubjectSeq]: String(expectedLastSubjectSeq) };
}

/** @throws ReinsError `bus_message_too_large` */
export function assertFits(bytes: number, limit: number | undefined, subject: string): void {
  if (limit === undefined || bytes <= limit) return;
  throw new ReinsError({
    code: 'bus_message_too_large',
    message: `the message has ${bytes} bytes, more than the server's limit of ${limit}`,
    path: subject,
    hint: 'Store large bodies in the blob store.',
  });
}

export const sequenceTaken = (subject: string, existing: string | undefined): Problem => ({
  code: 'bus_sequence_taken',
  message: `the subject already has another message${existing ? ` (${existing})` : ''} at this position`,
  path: subject,
});
