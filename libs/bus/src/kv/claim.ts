/** The claim of a host on an effect. */
export interface Claim {
  readonly attempt: number;
  readonly host: string;
  /** The process that claimed the attempt. Claims of earlier versions lack it. */
  readonly incarnation?: string;
  /** The write of that process that claimed the attempt. Claims of earlier versions lack it. */
  readonly write?: number;
  /**
   * `revoked`: the owner of the run gave up the attempt before a host claimed it. `abandoned`: its host is gone, or does
   * not work on it any more.
   */
  readonly state: 'working' | 'answered' | 'revoked' | 'abandoned';
  /** The answer, if it is small. */
  readonly answer?: unknown;
  /** Reference to the answer, if it is large. */
  readonly answerRef?: string;
}

/** An answer as stored in a claim. */
export type StoredAnswer = Pick<Claim, 'answer' | 'answerRef'>;

/** The heartbeat of a host process. */
export interface Heartbeat {
  readonly host: string;
  /** The attempts that the process holds, by `attemptKey`. Heartbeats of earlier versions are for one attempt. */
  readonly holds?: readonly string[];
}

/** A notice to a host process that it may have lost a claim. */
export interface LossNotice {
  /** The attempt, by `attemptKey`. */
  readonly attempt: string;
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

/** Identifies an attempt of an effect, by the key of its claim. */
export const attemptKey = (effectId: string, attempt: number): string => `${effectId}.${attempt}`;

/** The key of the heartbeat that keeps a claim alive. In earlier versions, each attempt had its own. */
export const heartbeatKey = (effectId: string, { attempt, incarnation }: Claim): string =>
  incarnation === undefined ? `beat.${attemptKey(effectId, attempt)}` : processHeartbeatKey(incarnation);

export const processHeartbeatKey = (incarnation: string): string => `beat.${incarnation}.live`;

export const lossNoticeKey = (incarnation: string): string => `beat.${incarnation}.lost`;

/** Whether a stored claim is still held by the process that took `taken`. */
export const isSameClaim = (stored: Claim | undefined, { attempt, incarnation }: Claim): boolean =>
  stored?.attempt === attempt && stored.incarnation === incarnation && stored.state !== 'abandoned';
