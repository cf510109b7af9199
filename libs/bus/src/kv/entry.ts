import type { StoredMessage } from '../read/stored-message.ts';

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  readonly revision: number;
}

/** Whether the message marks a key as deleted or expired. */
export function isTombstone(message: StoredMessage): boolean {
  return message.header('Nats-Marker-Reason') !== undefined || message.header('KV-Operation') !== undefined;
}
