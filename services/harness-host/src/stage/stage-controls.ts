import type { ControlMessage } from '@reins/bus';
import type { JsonValue } from '@reins/contracts';

/** Why a stage run is stopped. `lost`: somebody else may be at work, so nothing is answered. */
export type StopReason = 'cancel' | 'shutdown' | 'lost';

/** What was ordered of a running stage, from above or by its host. */
export class StageControls {
  readonly #answers: JsonValue[] = [];
  readonly #stop = Promise.withResolvers<StopReason>();
  #reason: StopReason | undefined;
  #resolveAnswer: ((answer: JsonValue) => void) | undefined;

  /** Why it was stopped; undefined while it goes on. */
  get stopped(): StopReason | undefined {
    return this.#reason;
  }

  /** Resolves when it is stopped, with the first reason. */
  get stop(): Promise<StopReason> {
    return this.#stop.promise;
  }

  /** The first reason counts, but a claim that is lost counts above all. */
  stopFor(reason: StopReason): void {
    if (this.#reason === undefined || reason === 'lost') this.#reason = reason;
    this.#stop.resolve(reason);
  }

  /** Takes what the control bus sent. Tells whether it meant something here. */
  receive({ kind, body }: ControlMessage): boolean {
    if (kind === 'cancel') this.stopFor('cancel');
    else if (kind === 'answer') this.#answer((body ?? null) as JsonValue);
    else return false;
    return true;
  }

  /** The next answer of the user; undefined when the stage is stopped before one comes. */
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
