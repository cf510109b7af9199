/** The handling of a suspected message that has not ended, as far as its process could report. */
interface Attempt {
  readonly id: string;
  /** The connection of the process that handles the message. */
  readonly by: string;
  /** Whether the process was still alive after the probation. */
  readonly outlived?: true;
}

/** What is stored about a suspected message. A process that survives its attempt removes it, also after a long outage. */
export interface CrashMark {
  readonly attempts: readonly Attempt[];
}

/**
 * A poison message usually crashes its process at once. A process that ends later was probably killed for another
 * reason, so that such an attempt counts less. It still counts, because a message may also exhaust the memory slowly.
 */
const OUTLIVED_WEIGHT = 0.25;
/** Enough for any decision. It bounds the mark of a message that cannot even be given up. */
const MAX_ATTEMPTS = 32;

export const NO_MARK: CrashMark = { attempts: [] };

/** How many crashes the attempts of other processes amount to. @param by the connection that asks */
export const crashesOf = ({ attempts }: CrashMark, by: string): number =>
  attempts.reduce((sum, attempt) => {
    if (attempt.by === by) return sum;
    return sum + (attempt.outlived ? OUTLIVED_WEIGHT : 1);
  }, 0);

export const withAttempt = ({ attempts }: CrashMark, attempt: Attempt): CrashMark => ({
  attempts: [...attempts, attempt].slice(-MAX_ATTEMPTS),
});

export const withOutlived = ({ attempts }: CrashMark, id: string): CrashMark => ({
  attempts: attempts.map((attempt) => (attempt.id === id ? { ...attempt, outlived: true } : attempt)),
});

/**
 * The mark after this attempt has ended without a crash: the message did not cause the earlier crashes either. Later
 * attempts of other processes may still be running.
 */
export const withoutAttempt = ({ attempts }: CrashMark, id: string): CrashMark => ({
  attempts: attempts.slice(attempts.findIndex((attempt) => attempt.id === id) + 1),
});
