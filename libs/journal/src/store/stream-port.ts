import type { Problem } from '@reins/contracts';

/** The operations that the store needs of a stream: append by compare-and-set, and read one subject. */
export interface StreamPort {
  /**
   * Stores the message if the subject's last sequence is the expected one (0 for an empty subject). The outcome is
   * certain; `fenced` means that another writer appended. The message id makes sending again harmless.
   */
  append(subject: string, data: Uint8Array, msgId: string, expectedLastSequence: number): Promise<StreamAppended>;
  /** The messages of the subject, oldest first, up to the last durable one. */
  read(subject: string, which?: WhichMessages): Promise<readonly StreamMessage[]>;
}

/** Default: all messages. */
export interface WhichMessages {
  readonly fromSeq?: number;
  /** The maximum number of messages. */
  readonly atMost?: number;
}

export type StreamAppended = { readonly outcome: 'stored'; readonly seq: number } | { readonly outcome: 'fenced' };

export interface StreamMessage {
  readonly seq: number;
  readonly data: Uint8Array;
  /** Why its content is not available. */
  readonly problem?: Problem;
}
