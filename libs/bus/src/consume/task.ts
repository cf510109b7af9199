import type { Msg } from '@nats-io/nats-core';
import type { BusMessage } from './message.ts';

/** The payloads of acknowledgements. */
export const ACK = {
  done: encode('+ACK'),
  again: encode('-NAK'),
  working: encode('+WPI'),
} as const;

export const againIn = (delayMs: number): Uint8Array => encode(`-NAK {"delay":${Math.round(delayMs * 1e6)}}`);

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A message that was taken and is not finished. */
export interface Task {
  readonly message: BusMessage;
  readonly key: string | undefined;
  /** The delivery to acknowledge: the last one, when the server has handed the message out again meanwhile. */
  raw: Msg;
  started: boolean;
  heartbeats: number;
  /** When its handler was called last, in milliseconds of `performance.now()`. */
  startedAt: number;
  retryTimer?: NodeJS.Timeout;
}
