/** Who works on an effect, or who did. */
export interface Claim {
  readonly attempt: number;
  readonly host: string;
  readonly state: 'working' | 'answered';
  /** The answer, to be sent again, where it is small. */
  readonly answer?: unknown;
  /** Where the answer is kept when it is not. */
  readonly answerRef?: string;
}

/** An answer as a claim keeps it. */
export type StoredAnswer = Pick<Claim, 'answer' | 'answerRef'>;

/** What is kept of an attempt's heartbeat. */
export interface Heartbeat {
  readonly host: string;
}

/**
 * How long it is known who took an attempt, whatever became of it: longer than any request of it may be repeated, or its
 * work may last. A claim of less would let a host that is late do the work once more.
 */
export const CLAIM_TTL_MS = 7 * 24 * 3_600_000;

export const heartbeatKey = (effectId: string, attempt: number): string => `beat.${effectId}.${attempt}`;
