import { JetStreamApiError } from '@nats-io/jetstream';

/** JetStream API error codes that this package handles. */
export const API = {
  consumerNameExists: 10013,
  consumerNotFound: 10014,
  /** A consumer with this name and another configuration exists. */
  consumerExists: 10148,
  streamNotFound: 10059,
  wrongLastSequence: 10071,
  wrongLastSequenceUnknown: 10164,
  /** A work queue has another consumer whose filter overlaps. */
  workQueueConsumerNotUnique: 10100,
  workQueueMultipleUnfiltered: 10099,
  /** The sequence to delete does not exist. */
  sequenceNotFound: 10043,
  /** A deletion failed, also because the message was deleted before. */
  messageDeleteFailed: 10057,
} as const;

export function isApiError(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof JetStreamApiError && codes.includes(error.code);
}
