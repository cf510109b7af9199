import type { StoredMessage } from '../read/stored-message.ts';

export interface Entry<T> {
  readonly key: string;
  readonly value: T;
  readonly revision: number;
}

/** True for the message that stands for "deleted" or "expired". */
export function isTombstone(message: StoredMessage): boolean {
  return message.header('Nats-Marker-Reason') !== undefined || message.header('KV-Operation') !== undefined;
}
