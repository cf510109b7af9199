import type { ControlMessage } from '@reins/bus';
import type { JsonValue } from '@reins/contracts';

/** Why a stage run is stopped. `lost`: another host may work on the stage, so no answer is sent. */
export type StopReason = 'cancel' | 'shutdown' | 'lost';

/**
 * Whether a control message is for this attempt. A cancellation also stops earlier attempts. Messages of earlier
 * versions name no attempt.
 */
export function isForAttempt({ attempt, kind }: ControlMessage, own: number): boolean {
  if (attempt === undefined) return true;
  return kind === 'cancel' ? attempt >= own : attempt === own;
}

/** The control messages of a running stage, from the control bus or its host. */
export class StageControls {
  readonly #answers: JsonValue[] = [];
  readonly #stop = Promise.withResolvers<StopReason>();
  #reason: StopReason | undefined;
  #resolveAnswer: ((answer: JsonValue) => void) | undefined;

  /** Why the stage was stopped; undefined while it runs. */
  get stopped(): StopReason | undefined {
    return this.#reason;
  }

  /** Resolves with the first reason when the stage is stopped. */
  get stop(): Promise<StopReason> {
    return this.#stop.promise;
  }

  /** Stops the stage. The first reason counts, but `lost` overrides any other. */
  stopFor(reason: StopReason): void {
    if (this.#reason === undefined || reason === 'lost') this.#reason = reason;
    this.#stop.resolve(reason);
  }

  /** Handles a message from the control bus. Returns false when its kind is not supported. */
  receive({ kind, body }: ControlMessage): boolean {
    if (kind === 'cancel') this.stopFor('cancel');
    else if (kind === 'answer') this.#answer((body ?? null) as JsonValue);
    else return false;
    return true;
  }

  /** Resolves with the next answer of the user; undefined when the stage is stopped first. */
  async nextAnswer(): Promise<JsonValue | undefined> {
    const waiting = this.#answers.shift();
    if (waiting !== undefined) return waiting;
    const answered = new Promise<JsonValue>((resolve) => {
      this.#resolveAnswer = resolve;
    });
    return Promise.race([answered, this.#stop.promise.then(() => undefined)]);
  }

  #answer(answer: JsonValue): void {
    if (!this.#resolveAnswer) {
      this.#answers.push(answer);
      return;
    }
    this.#resolveAnswer(answer);
    this.#resolveAnswer = undefined;
  }
}
