import type { JsonObject, JsonValue, Limits } from '@reins/contracts';
import { type EntryDraft, effectIdOf, hashJson } from '@reins/journal';
import { withProcessContext } from '../context/process-storage.ts';
import { CancelledError, messageOf, misuse } from '../errors.ts';
import { assertLabel } from '../intrinsics/options.ts';
import { InvocationKeys } from '../invocation/invocation-key.ts';
import { SeededRandom } from '../invocation/seeded.ts';
import type { ProcessContext } from '../process-context.ts';
import type { ProcessDefinition, RequestedEffect } from '../process-definition.ts';
import { abandonReason } from './external-end.ts';
import { jsonCopy } from './json-copy.ts';
import { limitsOf } from './limits.ts';
import type { Outbox } from './outbox.ts';
import { cancelledEnd, type End, endOf, type Outcome } from './outcome.ts';
import { PendingEffects } from './pending-effects.ts';
import { cancellationOf, currentScope, isWithin, type Scope } from './scopes.ts';
import { type DueStep, dueStep, type StepWork } from './step-attempt.ts';

/** What an execution needs from its coroutine. */
export interface ExecutionHost {
  /** Effect ids follow from it. */
  readonly runId: string;
  /** The run id that the process sees. Random numbers follow from it. */
  readonly identity: string;
  /** Metadata that the run's creator gave in addition to the inputs. */
  readonly request: JsonObject;
  readonly definition: ProcessDefinition;
  readonly outbox: Outbox;
  readonly nonInteractive: boolean;
  now(): Date;
  /** Whether the run takes the new code path of a patch. */
  patched(id: string): boolean;
  /** Whether the replayed journal has this effect. */
  isRecorded(effectId: string): boolean;
  /** Takes a signal that arrived before it was requested. */
  takeSignal(name: string): { readonly payload: JsonValue } | undefined;
}

/** The identity of a call. */
export interface Invocation {
  readonly kind: string;
  readonly key: string;
  readonly effectId: string;
  /** The process gave an explicit key, and may use it again. */
  readonly isShared: boolean;
}

export interface CallDescription {
  readonly kind: string;
  readonly name?: string | undefined;
  readonly label?: string | undefined;
  readonly key?: string | undefined;
  /** Their shape is part of the identity. */
  readonly args: JsonValue | undefined;
}

export interface EffectCall {
  readonly request: JsonObject;
  readonly limits?: Partial<Limits> | undefined;
  readonly label?: string | undefined;
  readonly step?: StepWork;
}

/** One execution of the process function. A run that continues as new has several, one per generation. */
export class Execution {
  readonly pending = new PendingEffects();
  readonly random: SeededRandom;
  readonly host: ExecutionHost;
  readonly #keys: InvocationKeys;
  readonly #root: Scope = { shielded: false };
  readonly #cleanupScope: Scope = { parent: this.#root, shielded: true };
  /** By explicit key: a second call with the same key is the same effect. */
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

  /** Starts the process function. `context` belongs to this execution. */
  start(inputs: JsonValue, context: ProcessContext): void {
    const { definition } = this.host;
    const run = async () => definition.run(context, jsonCopy(inputs));
    const result = withProcessContext(context, () => currentScope.run(this.#root, run));
    result.then(
      (value) => this.end({ kind: 'returned', value }),
      (error: unknown) => this.end({ kind: 'threw', error }),
    );
  }

  /** @throws ReinsError `process_invalid` for a label that is not a string */
  identify({ kind, name, label, key, args }: CallDescription): Invocation {
    assertLabel(label);
    const text = key === undefined ? this.#keys.derived(kind, name, label, args) : this.#keys.explicit(kind, key);
    return { kind, key: text, effectId: effectIdOf(this.host.runId, text), isShared: key !== undefined };
  }

  /** Requests an effect. Rejects in a cancelled scope. Never settles once the process has ended. */
  requestEffect(invocation: Invocation, call: EffectCall): Promise<JsonValue> {
    const scope = currentScope.getStore() ?? this.#root;
    const cancelled = cancellationOf(scope);
    if (cancelled !== undefined) return Promise.reject(new CancelledError(cancelled));
    if (!this.acceptsRequests) return new Promise(() => undefined);
    const request = jsonCopy(call.request, 'the request') as JsonObject;
    const argsHash = hashJson({ kind: invocation.kind, request });
    return (
      this.#sharedEffect(invocation, argsHash) ?? this.#newEffect(invocation, { ...call, request }, argsHash, scope)
    );
  }

  #sharedEffect({ key, kind }: Invocation, argsHash: string): Promise<JsonValue> | undefined {
    const known = this.#shared.get(key);
    if (known && known.argsHash !== argsHash) {
      throw misuse(`the key ${key} is used for two different calls of ${kind}`, 'Give each call its own key.');
    }
    return known?.promise;
  }

  #newEffect(
    invocation: Invocation,
    { request, limits, label, step }: EffectCall,
    argsHash: string,
    scope: Scope,
  ): Promise<JsonValue> {
    const { kind, key, effectId } = invocation;
    this.#assertAdmitted(effectId, { kind, request, label, runId: this.host.identity });
    const named = label === undefined ? {} : { label };
    // Members in the order of canonical JSON, so that serializing need not sort them.
    const data = { argsHash, attempt: 1, effectId, key, kind, limits: limitsOf(kind, limits), request, ...named };
    this.host.outbox.push({ type: 'EFFECT_REQUESTED', data });
    const asked = { effectId, scope, attempt: 1, requestedAtMs: this.host.now().getTime() };
    // A stack costs time, so an effect has one only if its process uses it.
    const callSite = step === undefined && this.host.definition.framesOf ? new Error() : undefined;
    const promise = this.pending.add({ ...asked, ...(step && { step }), ...(callSite && { callSite }) });
    if (invocation.isShared) this.#shared.set(key, { argsHash, promise });
    if (step) this.#stepsDue.push(effectId);
    return promise;
  }

  /** Every request passes here. @throws Error with which the definition refuses it */
  #assertAdmitted(effectId: string, asked: RequestedEffect): void {
    const { log, refused } = this.host.definition.admit?.(asked) ?? {};
    if (refused && this.host.isRecorded(effectId)) return;
    if (log) this.host.outbox.push({ type: 'PROCESS_LOG', data: log });
    if (refused) throw refused;
  }

  /** The next attempt of a step is due after its backoff. The control bus schedules the attempts of other kinds. */
  attemptFailed(effectId: string, nextAttempt: number | undefined, requestedAtMs: number): void {
    const effect = this.pending.get(effectId);
    if (!effect || nextAttempt === undefined) return;
    effect.attempt = nextAttempt;
    effect.requestedAtMs = requestedAtMs;
    if (effect.step) this.#stepsDue.push(effectId);
  }

  /** Returns the due steps that were not returned before. */
  takeDueSteps(): DueStep[] {
    const due = this.#stepsDue.splice(0);
    return due.flatMap((effectId) => {
      const effect = this.pending.get(effectId);
      return effect?.step ? [dueStep(effectId, effect.attempt, effect.step, effect.requestedAtMs)] : [];
    });
  }

  onCleanup(work: () => Promise<void> | void): void {
    this.#cleanups.push(work);
  }

  /** The first outcome counts. */
  end(outcome: Outcome): void {
    this.#outcome ??= outcome;
  }

  /**
   * Whether the running code may still decide anything. After a return, other branches may still be running. After any
   * other outcome, only the cleanup functions may decide.
   */
  get acceptsRequests(): boolean {
    if (this.#concluded) return false;
    if (!this.#outcome || this.#outcome.kind === 'returned') return true;
    return isWithin(currentScope.getStore(), this.#cleanupScope);
  }

  /** Cancels the run: rejects what waits outside of shields, in request order. */
  cancel(reason: string): void {
    this.#root.cancelledBecause ??= reason;
    this.pending.rejectCancelled();
  }

  /** Cancels a scope at the request of the process, and informs the workers of its effects. */
  cancelScope(scope: Scope, reason: string): void {
    if (scope.cancelledBecause !== undefined) return;
    scope.cancelledBecause = reason;
    this.#pushCancellations(this.pending.rejectCancelled(), reason);
  }

  #pushCancellations(effects: Iterable<{ readonly effectId: string; readonly attempt: number }>, reason: string): void {
    for (const { effectId, attempt } of effects) {
      const draft: EntryDraft = { type: 'EFFECT_CANCELLED', data: { effectId, attempt, reason, confirmed: false } };
      this.host.outbox.push(draft);
    }
  }

  /**
   * Called when the process is quiescent: takes the next step towards its end.
   * @returns `more` after starting the cleanup, `restartWith` for a restart, the end when it is reached, else undefined
   */
  conclude(): 'more' | { readonly restartWith: JsonValue } | End | undefined {
    const outcome = this.#outcome;
    if (!outcome || this.#concluded) return undefined;
    const cancelled = this.#root.cancelledBecause !== undefined;
    if (outcome.kind === 'returned' && !cancelled && this.pending.size > 0) return undefined;
    if (this.#cleanup === 'none') {
      this.#cleanUp();
      return 'more';
    }
    if (this.#cleanup === 'running') return undefined;
    this.#concluded = true;
    if (cancelled) return cancelledEnd(outcome);
    if (outcome.kind === 'continued-as-new') return this.#restartWith(outcome.inputs);
    const end = endOf(outcome, this.host.definition, this.host.now());
    if (end.state !== 'broken') this.#pushCancellations(this.pending.takeAll(), abandonReason(end.state));
    return end;
  }

  #restartWith(inputs: JsonValue): { readonly restartWith: JsonValue } {
    this.#pushCancellations(this.pending.takeAll(), 'the process restarted');
    return { restartWith: inputs };
  }

  /** Runs all cleanup functions, even in a cancelled run. Their errors are logged and do not replace the outcome. */
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
