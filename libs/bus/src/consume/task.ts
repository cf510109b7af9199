import type { Msg } from '@nats-io/nats-core';
import type { BusMessage } from './message.ts';

/** Acknowledgement payloads. */
export const ACK = {
  done: encode('+ACK'),
  again: encode('-NAK'),
  inProgress: encode('+WPI'),
} as const;

export const againIn = (delayMs: number): Uint8Array => encode(`-NAK {"delay":${Math.round(delayMs * 1e6)}}`);

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A message that was received and is not finished. */
export interface Task {
  readonly message: BusMessage;
  readonly key: string | undefined;
  /** It has no place in the queue of its key, so it is held. */
  overflows: boolean;
  /** The delivery to acknowledge: the newest one, if the message was redelivered. */
  raw: Msg;
  started: boolean;
  /** When the message was received, or its ack deadline was last extended, by `performance.now()`. */
  extendedAt: number;
  /** Start of the last handler call, by `performance.now()`. */
  startedAt: number;
  retryTimer?: NodeJS.Timeout;
}

export const newTask = (message: BusMessage, key: string | undefined, raw: Msg): Task => ({
  message,
  key,
  raw,
  overflows: false,
  started: false,
  extendedAt: performance.now(),
  startedAt: 0,
});
