import type { InboxMessage } from '@reins/control-bus/core';
import type { StoredMessage } from '../server/log.ts';

/** A message that was received and is not finished. */
export interface Task {
  readonly message: StoredMessage;
  readonly deliveries: number;
  started: boolean;
  overflows: boolean;
  /** For a suspected poison message: clears the suspicion. */
  clearPoisonSuspicion?: () => Promise<void>;
}

export const asInboxMessage = ({
  message: { data, id, seq, subject },
  deliveries,
  clearPoisonSuspicion,
}: Task): InboxMessage => ({
  subject,
  data,
  seq,
  deliveries,
  clearPoisonSuspicion: async () => clearPoisonSuspicion?.(),
  event: { id, type: '', source: '', time: '' },
});
