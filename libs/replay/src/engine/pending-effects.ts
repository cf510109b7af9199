import type { JsonValue } from '@reins/contracts';
import { CancelledError } from '../errors.ts';
import { cancellationOf, type Scope } from './scopes.ts';
import type { StepWork } from './step-attempt.ts';

/** A promise of the process for an effect without a result. */
export interface PendingEffect {
  readonly effectId: string;
  readonly scope: Scope;
  readonly step?: StepWork;
  /** Its stack shows where the process called it. The work of a step has a stack of its own. */
  readonly callSite?: Error;
  attempt: number;
  /** When the current attempt was requested (milliseconds since 1970). */
  requestedAtMs: number;
  resolve(value: JsonValue): void;
  reject(error: Error): void;
}

/** The effects that the process waits for, in request order. */
export class PendingEffects {
  readonly #byId = new Map<string, PendingEffect>();

  get size(): number {
    return this.#byId.size;
  }

  get(effectId: string): PendingEffect | undefined {
    return this.#byId.get(effectId);
  }

  add(effect: Omit<PendingEffect, 'resolve' | 'reject'>): Promise<JsonValue> {
    const { promise, resolve, reject } = Promise.withResolvers<JsonValue>();
    this.#byId.set(effect.effectId, { ...effect, resolve, reject });
    return promise;
  }

  /** Removes and returns it; undefined when the process does not wait for it. */
  take(effectId: string): PendingEffect | undefined {
    const effect = this.#byId.get(effectId);
    this.#byId.delete(effectId);
    return effect;
  }

  /** Gives an effect the id that the journal has. */
  rename(from: string, to: string): void {
    const effect = this.take(from);
    if (effect) this.#byId.set(to, { ...effect, effectId: to });
  }

  takeAll(): PendingEffect[] {
    const all = [...this.#byId.values()];
    this.#byId.clear();
    return all;
  }

  /** Rejects the effects in cancelled scopes, in request order. */
  rejectCancelled(): PendingEffect[] {
    const rejected: PendingEffect[] = [];
    for (const effect of this.#byId.values()) {
      const reason = cancellationOf(effect.scope);
      if (reason === undefined) continue;
      this.#byId.delete(effect.effectId);
      effect.reject(new CancelledError(reason));
      rejected.push(effect);
    }
    return rejected;
  }

  *[Symbol.iterator](): Iterator<PendingEffect> {
    yield* this.#byId.values();
  }
}
