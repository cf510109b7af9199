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
 * Reports the claim of a stage whose preparation takes long, the steps of that preparation, and what the running stage
 * waits for. A lost report is harmless: before the owner of the run gives up an attempt, it looks up the claim.
 */
export class PreparationReport {
  readonly #options: PreparationReportOptions;
  readonly #timer: NodeJS.Timeout;
  #isReported = false;
  #hasEnded = false;
  /** The newest step, of the preparation or of the run. */
  #label = '';
  #steps = 0;
  #isStepPending = false;
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

  /** The running stage waits for something, or has stopped to wait for it. */
  running(label: string): void {
    this.#label = label;
    this.#sendStep();
  }

  /** The preparation has ended. Returns undefined if nothing was sent; else resolves when all that was sent is stored. */
  end(): Promise<void> | undefined {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    return this.#isReported || this.#steps > 0 || this.#isStepPending ? this.#sending : undefined;
  }

  #report(): void {
    this.#isReported = true;
    this.#send(() => ({ message: this.#options.claimed, nth: 0 }));
    if (this.#label !== '') this.#sendStep();
  }

  /** While an earlier report is being sent, only the newest step waits. */
  #sendStep(): void {
    if (this.#isStepPending) return;
    this.#isStepPending = true;
    this.#send(() => {
      this.#isStepPending = false;
      this.#steps += 1;
      return { message: { type: 'effect.progress', label: this.#label }, nth: this.#steps - 1 };
    });
  }

  #send(next: () => { readonly message: StageAnswer; readonly nth: number }): void {
    const { effectId, log, send } = this.#options;
    this.#sending = this.#sending.then(async () => {
      const { message, nth } = next();
      try {
        await send(message, nth);
      } catch (error) {
        log.debug({ effectId, type: message.type, error: String(error) }, 'report lost');
      }
    });
  }
}
