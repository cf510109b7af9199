import type { BusLog } from '@reins/bus';
import type { StageAnswer } from './answers.ts';

/** Most stages start earlier. Their start also reports the claim. */
const NOTICE_MS = 100;

export interface PreparationReportOptions {
  readonly effectId: string;
  readonly claimed: StageAnswer;
  /** @param nth the number of earlier messages of this type */
  readonly send: (message: StageAnswer, nth: number) => Promise<void>;
  readonly log: BusLog;
}

/**
 * Reports the claim of a stage whose preparation takes long, and the steps of that preparation. A lost report is
 * harmless: before the owner of the run gives up an attempt, it looks up the claim.
 */
export class PreparationReport {
  readonly #options: PreparationReportOptions;
  readonly #timer: NodeJS.Timeout;
  #isReported = false;
  #hasEnded = false;
  #label = '';
  #steps = 0;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: PreparationReportOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => this.#report(), NOTICE_MS);
  }

  /** The preparation continues with another step. */
  step(label: string): void {
    if (this.#hasEnded) return;
    this.#label = label;
    if (this.#isReported) this.#sendStep();
  }

  /** The preparation has ended. Returns undefined if nothing was sent; else resolves when all that was sent is stored. */
  end(): Promise<void> | undefined {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    return this.#isReported ? this.#sending : undefined;
  }

  #report(): void {
    this.#isReported = true;
    this.#send(this.#options.claimed, 0);
    if (this.#label !== '') this.#sendStep();
  }

  #sendStep(): void {
    this.#send({ type: 'effect.progress', label: this.#label }, this.#steps);
    this.#steps += 1;
  }

  #send(message: StageAnswer, nth: number): void {
    const { effectId, log, send } = this.#options;
    const failed = (error: unknown) => log.debug({ effectId, type: message.type, error: String(error) }, 'report lost');
    this.#sending = this.#sending.then(() => send(message, nth)).catch(failed);
  }
}
