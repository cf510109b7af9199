import type { JsonObject, JsonValue, Limits } from '@reins/contracts';
import { type EntryDraft, hashJson } from '@reins/journal';
import { buildContext } from '../context/build-context.ts';
import { withProcessContext } from '../context/process-storage.ts';
import { CancelledError, messageOf, misuse } from '../errors.ts';
import { assertLabel } from '../intrinsics/options.ts';
import { effectIdOf, InvocationKeys } from '../invocation/invocation-key.ts';
import { SeededRandom } from '../invocation/seeded.ts';
import type { ProcessContext } from '../process-context.ts';
import type { ProcessDefinition } from '../process-definition.ts';
import { letGoBecause } from './declared-end.ts';
import { jsonCopy } from './json-copy.ts';
import { limitsOf } from './limits.ts';
import type { Outbox } from './outbox.ts';
import { cancelledEnd, type End, endOf, type Outcome } from './outcome.ts';
import { PendingEffects } from './pending-effects.ts';
import { cancellationOf, currentScope, isWithin, type Scope } from './scopes.ts';
import { type DueStep, dueStep, type StepWork } from './step-attempt.ts';

/** What an execution needs of the coroutine that it runs in. */
export interface ExecutionHost {
  /** What the ids of effects follow from. */
  readonly runId: string;
  /** What the process knows as its run, and random numbers follow from. */
  readonly identity: string;
  /** What the run's creator said beside its inputs. */
  readonly request: JsonObject;
  readonly definition: ProcessDefinition;
  readonly outbox: Outbox;
  readonly nonInteractive: boolean;
  now(): Date;
  /** Whether a run that comes to this place goes the new way. */
  patched(id: string): boolean;
  /** Whether the journal that is being replayed has this effect. */
  isRecorded(effectId: string): boolean;
  /** A signal that came before anybody asked for it. */
  takeSignal(name: string): { readonly payload: JsonValue } | undefined;
}

/** Who a call is. */
export interface Invocation {
  readonly kind: string;
  readonly key: string;
  readonly effectId: string;
  /** The process itself named the call, and may name it again. */
  readonly isShared: boolean;
}

export interface Identify {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly label?: string | undefined;
  readonly key?: string | undefined;
  /** Whose shape tells calls apart. */
  readonly args: JsonValue | undefined;
}

export interface Ask {
  readonly request: JsonObject;
  readonly limits?: Partial<Limits> | undefined;
  readonly label?: string | undefined;
  readonly step?: StepWork;
}

/** One run of the process function, from its start to its end. A run without end has several, one generation after the other. */
export class Execution {
  readonly pending = new PendingEffects();
  readonly random: SeededRandom;
  readonly host: ExecutionHost;
  readonly #keys: InvocationKeys;
  readonly #root: Scope = { shielded: false };
  readonly #cleanupScope: Scope = { parent: this.#root, shielded: true };
  /** Explicit keys: a second call with the same one is the same effect. */
  readonly #shared = new Map<string, { readonly argsHash: string; readonly promise: Promise<JsonValue> }>();
  readonly #cleanups: (() => Promise<void> | void)[] = [];
  readonly #stepsDue: string[] = [];
  #outcome: Outcome | undefined;
  #cleanup: 'none' | 'running' | 'done' = 'none';
  #concluded = false;

  constructor(host: ExecutionHost, generation: number) {
    this.host = host;
    this.#keys = new InvocationKeys(generation);
    this.random = new SeededRandom(`${host.identity}\n${generation}`);
  }

  start(inputs: JsonValue): void {
    const { definition } = this.host;
    const context: ProcessContext = buildContext(this);
    const run = async () => definition.run(context, jsonCopy(inputs));
    const result = withProcessContext(context, () => currentScope.run(this.#root, run));
    result.then(
      (value) => this.end({ how: 'returned', value }),
      (error: unknown) => this.end({ how: 'threw', error }),
    );
  }

  /** @throws ReinsError `process_invalid` for a label that is no text */
  identify({ kind, name, label, key, args }: Identify): Invocation {
    assertLabel(label);
    const text = key === undefined ? this.#keys.derived(kind, name, label, args) : this.#keys.explicit(kind, key);
    return { kind, key: text, effectId: effectIdOf(this.host.runId, text), isShared: key !== undefined };
  }

  /** Asks for an effect; nothing of it happens once the process has ended or its scope was cancelled. */
  ask(who: Invocation, what: Ask): Promise<JsonValue> {
    const scope = currentScope.getStore() ?? this.#root;
    const cancelled = cancellationOf(scope);
    if (cancelled !== undefined) return Promise.reject(new CancelledError(cancelled));
    if (!this.mayDecide) return new Promise(() => undefined);
    const request = jsonCopy(what.request, 'the request') as JsonObject;
    const argsHash = hashJson({ kind: who.kind, request });
    return this.#sharedEffect(who, argsHash) ?? this.#newEffect(who, { ...what, request }, argsHash, scope);
  }

  #sharedEffect({ key, kind }: Invocation, argsHash: string): Promise<JsonValue> | undefined {
    const known = this.#shared.get(key);
    if (known && known.argsHash !== argsHash) {
      throw misuse(`the key ${key} stands for two different calls of ${kind}`, 'give each call a key of its own');
    }
    return known?.promise;
  }

  #newEffect(
    who: Invocation,
    { request, limits, label, step }: Ask,
    argsHash: string,
    scope: Scope,
  ): Promise<JsonValue> {
    const { kind, key, effectId } = who;
    const named = label === undefined ? {} : { label };
    // In the order of canonical JSON, in which it is written: then nothing has to be put in order.
    const data = { argsHash, attempt: 1, effectId, key, kind, limits: limitsOf(kind, limits), request, ...named };
    this.host.outbox.push({ type: 'EFFECT_REQUESTED', data });
    const asked = { effectId, scope, attempt: 1, askedAt: this.host.now().getTime() };
    const promise = this.pending.add(step === undefined ? asked : { ...asked, step });
    if (who.isShared) this.#shared.set(key, { argsHash, promise });
    if (step) this.#stepsDue.push(effectId);
    return promise;
  }

  /** The next attempt of a step is due after its backoff; other kinds are the control bus's business. */
  attemptFailed(effectId: string, nextAttempt: number | undefined, askedAt: number): void {
    const effect = this.pending.get(effectId);
    if (!effect || nextAttempt === undefined) return;
    effect.attempt = nextAttempt;
    effect.askedAt = askedAt;
    if (effect.step) this.#stepsDue.push(effectId);
  }

  /** Steps that are due and that were not given out before. */
  takeDueSteps(): DueStep[] {
    const due = this.#stepsDue.splice(0);
    return due.flatMap((effectId) => {
      const effect = this.pending.get(effectId);
      return effect?.step ? [dueStep(effectId, effect.attempt, effect.step, effect.askedAt)] : [];
    });
  }

  onCleanup(work: () => Promise<void> | void): void {
    this.#cleanups.push(work);
  }

  /** The first end counts. */
  end(outcome: Outcome): void {
    this.#outcome ??= outcome;
  }

  /**
   * Whether the code that runs now still decides anything: a process that returned may have work going on; one that ended in any
   * other way has its cleanup alone.
   */
  get mayDecide(): boolean {
    if (this.#concluded) return false;
    if (!this.#outcome || this.#outcome.how === 'returned') return true;
    return isWithin(currentScope.getStore(), this.#cleanupScope);
  }

  /** The run is cancelled: what waits outside of shields rejects, in the order of the requests. */
  cancel(reason: string): void {
    this.#root.cancelledBecause ??= reason;
    this.pending.rejectCancelled();
  }

  /** The process cancels a part of itself: whoever works on it is told. */
  cancelScope(scope: Scope, reason: string): void {
    if (scope.cancelledBecause !== undefined) return;
    scope.cancelledBecause = reason;
    this.#tellCancelled(this.pending.rejectCancelled(), reason);
  }

  #tellCancelled(effects: Iterable<{ readonly effectId: string; readonly attempt: number }>, reason: string): void {
    for (const { effectId, attempt } of effects) {
      const draft: EntryDraft = { type: 'EFFECT_CANCELLED', data: { effectId, attempt, reason, confirmed: false } };
      this.host.outbox.push(draft);
    }
  }

  /**
   * Called when the process is at rest: brings its end forward by what can be done now.
   * @returns `more` when something was set going, the end when it is reached, otherwise nothing
   */
  conclude(): 'more' | { readonly anew: JsonValue } | End | undefined {
    const outcome = this.#outcome;
    if (!outcome || this.#concluded) return undefined;
    const cancelled = this.#root.cancelledBecause !== undefined;
    if (outcome.how === 'returned' && !cancelled && this.pending.size > 0) return undefined;
    if (this.#cleanup === 'none') {
      this.#cleanUp();
      return 'more';
    }
    if (this.#cleanup === 'running') return undefined;
    this.#concluded = true;
    if (cancelled) return cancelledEnd(outcome);
    if (outcome.how === 'anew') return this.#anew(outcome.inputs);
    const end = endOf(outcome, this.host.definition, this.host.now());
    if (end.state !== 'broken') this.#tellCancelled(this.pending.takeAll(), letGoBecause(end.state));
    return end;
  }

  #anew(inputs: JsonValue): { readonly anew: JsonValue } {
    this.#tellCancelled(this.pending.takeAll(), 'the process starts anew');
    return { anew: inputs };
  }

  /** Cleanup runs whole, even in a cancelled run; its errors hide nothing. */
  #cleanUp(): void {
    this.#cleanup = 'running';
    const all = async () => {
      for (const work of this.#cleanups.toReversed()) {
        try {
          await work();
        } catch (error) {
          const data = { label: 'error in cleanup', message: messageOf(error) };
          this.host.outbox.push({ type: 'PROCESS_LOG', data });
        }
      }
    };
    void currentScope.run(this.#cleanupScope, all).then(() => {
      this.#cleanup = 'done';
    });
  }
}
