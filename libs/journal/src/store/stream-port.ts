import type { Problem } from '@reins/contracts';

/** What the store needs of a stream: appends by compare-and-set, and what lies on one subject. */
export interface StreamPort {
  /**
   * Stores the message when the subject's last sequence is the expected one (0 = the subject is empty). The answer is certain; `fenced`
   * means that somebody else wrote. The id makes sending again harmless.
   */
  append(subject: string, data: Uint8Array, msgId: string, expectedLastSequence: number): Promise<StreamAppended>;
  /** The messages of the subject, oldest first, up to the last one that is durable now. */
  read(subject: string, which?: WhichMessages): Promise<readonly StreamMessage[]>;
}

/** Default: all of them. */
export interface WhichMessages {
  readonly fromSeq?: number;
  /** The first so many. */
  readonly atMost?: number;
}

export type StreamAppended = { readonly outcome: 'stored'; readonly seq: number } | { readonly outcome: 'fenced' };

export interface StreamMessage {
  readonly seq: number;
  readonly data: Uint8Array;
  /** Why its content cannot be had. */
  readonly problem?: Problem;
}
