import type { LostTime } from '../faults/set-back.ts';
import type { RetriedAnswer } from './retry-until-answered.ts';

/** A question of a request: its effect, and its number within the effect. */
export interface Question {
  readonly effectId: string;
  readonly questionNumber?: number;
}

export const cancelOf = (requestId: string): string => `the cancel of ${requestId}`;
export const endOf = (requestId: string): string => `the end of ${requestId}`;
export const answerTo = (requestId: string, { effectId, questionNumber }: Question): string =>
  `the answer to question ${questionNumber} of ${effectId} of ${requestId}`;

/** The acknowledgements that clients received: their command is stored, or their request has ended. */
export class Acknowledgements {
  readonly #responses = new Map<string, Pick<RetriedAnswer, 'sentAt' | 'receivedAt'>>();

  /** @param what one of `cancelOf`, `endOf` and `answerTo` */
  add(what: string, { sentAt, receivedAt }: Pick<RetriedAnswer, 'sentAt' | 'receivedAt'>): void {
    this.#responses.set(what, { sentAt, receivedAt });
  }

  has(what: string): boolean {
    return this.#responses.has(what);
  }

  /** When the acknowledged call was sent, and when its response arrived, in milliseconds since the epoch. */
  timesOf(what: string): Pick<RetriedAnswer, 'sentAt' | 'receivedAt'> | undefined {
    return this.#responses.get(what);
  }

  /** Whether it was acknowledged, and stored so late that a restored copy may not have it. */
  isLost(what: string, times: readonly LostTime[]): boolean {
    const response = this.#responses.get(what);
    return response !== undefined && times.some(({ from, to }) => response.sentAt <= to && response.receivedAt >= from);
  }
}
