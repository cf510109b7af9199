/** The claim of a host on an effect. */
export interface Claim {
  readonly attempt: number;
  readonly host: string;
  /** `revoked`: the owner of the run gave up the attempt before a host claimed it. */
  readonly state: 'working' | 'answered' | 'revoked';
  /** The answer, if it is small. */
  readonly answer?: unknown;
  /** Reference to the answer, if it is large. */
  readonly answerRef?: string;
}

/** An answer as stored in a claim. */
export type StoredAnswer = Pick<Claim, 'answer' | 'answerRef'>;

/** The value of an attempt's heartbeat key. */
export interface Heartbeat {
  readonly host: string;
}

/**
 * How long the claim of an attempt is kept, whatever its outcome. It exceeds the time in which a request may be
 * repeated or its work may run. With a shorter TTL, a late host could repeat the work.
 */
export const CLAIM_TTL_MS = 7 * 24 * 3_600_000;

/**
 * The key of an effect's claim. A suspended effect has ended at its host, so each resumption has a claim of its own.
 */
export const claimKey = (effectId: string, resumption = 0): string =>
  resumption === 0 ? effectId : `${effectId}-r${resumption}`;

export const heartbeatKey = (effectId: string, attempt: number): string => `beat.${effectId}.${attempt}`;
