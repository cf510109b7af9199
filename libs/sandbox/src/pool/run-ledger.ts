import { type BlobRef, type ErrorInfo, isObject, type JsonObject, ReinsError, type RunAddress } from '@reins/contracts';
import {
  type EntryDraft,
  effectIdOf,
  effectKind,
  hashJson,
  MAX_DURATION_MS,
  problemsOfRequest,
  refOf,
  requestKinds,
} from '@reins/journal';
import { type CoroutineState, externalEndMark, type FedEntry, OPERATOR_GRACE_MS } from '@reins/replay';
import type { TurnMessage } from '../protocol/messages.ts';
import { isOfHost } from './untrusted.ts';

/** An effect that is in the journal, or that an accepted turn requested. */
interface KnownEffect {
  readonly kind: string;
  /** Fields of large requests that are stored elsewhere are missing. */
  readonly request: JsonObject;
  attempt: number;
  isOpen: boolean;
}

/** A value that the child may load as often as entries refer to it. */
interface NamedValue {
  readonly ref: BlobRef;
  left: number;
}

/** The identity of a process, as recorded in entries. */
export interface LedgerProcess {
  readonly id: string;
  readonly codeHash: string;
}

/** The maximum timeout of a step, and the maximum delay of its start after the last entry. */
const LONGEST_WAIT_MS = 2 ** 31;

/**
 * What the owner of a run knows from the entries that it sent to the child: which decisions and loads of the child are
 * possible next. Authored code may have taken over the child, so a turn that cannot follow from these entries counts as
 * a crash.
 */
export class RunLedger {
  readonly #run: RunAddress;
  readonly #process: LedgerProcess;
  readonly #effects = new Map<string, KnownEffect>();
  readonly #values = new Map<string, NamedValue>();
  /** Codes of errors that its effects ended with: it may fail with them. */
  readonly #codes = new Set<string>();
  #end: CoroutineState | undefined;
  #hasError = false;
  #isCancelled = false;
  #isDiverged = false;
  /** The time of the last entry, in milliseconds since 1970. */
  #latest = 0;

  constructor(run: RunAddress, process: LedgerProcess) {
    this.#run = run;
    this.#process = process;
  }

  /**
   * Adds the entries that the child receives. @param at the current time, if it is later than the time at which they
   * were recorded
   */
  feed(entries: readonly FedEntry[], at?: string): void {
    for (const entry of entries) {
      const ref = refOf(entry as EntryDraft);
      if (ref) this.#name(ref);
      this.#latest = Math.max(this.#latest, Date.parse(entry.recordedAt));
      this.#apply(entry as EntryDraft);
    }
    if (at !== undefined) this.#latest = Math.max(this.#latest, Date.parse(at));
  }

  /** Whether the run has requested this effect. */
  knows(effectId: string): boolean {
    return this.#effects.has(effectId);
  }

  /** The effects without a result, each with its current attempt. */
  *pending(): Iterable<{ readonly effectId: string; readonly attempt: number }> {
    for (const [effectId, { isOpen, attempt }] of this.#effects) if (isOpen) yield { effectId, attempt };
  }

  /**
   * The reference as it is in the journal. @throws ReinsError `process_crashed` when no entry gives the child this
   * value
   */
  named({ sha256 }: BlobRef): BlobRef {
    const value = this.#values.get(sha256);
    if (!value || value.left === 0) throw impossible('it requested a value that its journal does not reference');
    value.left -= 1;
    return value.ref;
  }

  /** Adds the decisions of a turn. @throws ReinsError `process_crashed` when they are impossible for this journal */
  accept({ drafts, steps, state, awaited, divergence }: TurnMessage): void {
    if (divergence) this.#isDiverged = true;
    let isOver = false;
    for (const draft of drafts) {
      if (isOver) throw impossible(`it returned the entry ${draft.type} after an entry that ends the turn`);
      this.#checkDecision(draft);
      this.#apply(draft);
      isOver = ENDS.has(draft.type) || draft.type === 'PROCESS_RUNTIME_ERROR';
    }
    this.#checkState(state, drafts.at(-1));
    for (const step of steps) this.#checkStep(step);
    for (const effectId of awaited)
      if (!this.#effects.get(effectId)?.isOpen) throw impossible(`it waits for ${effectId}, which is not pending`);
  }

  #name(ref: BlobRef): void {
    const known = this.#values.get(ref.sha256);
    if (known) known.left += 1;
    else this.#values.set(ref.sha256, { ref, left: 1 });
  }

  #apply({ type, data }: EntryDraft): void {
    switch (type) {
      case 'EFFECT_REQUESTED': {
        const { kind, request } = data;
        // A process does not know the attempts before an effect was invalidated.
        this.#effects.set(data.effectId, { kind, request, attempt: 1, isOpen: true });
        return;
      }
      case 'EFFECT_ATTEMPT_FAILED': {
        const effect = this.#effects.get(data.effectId);
        if (effect && data.nextAttempt !== undefined) effect.attempt = data.nextAttempt;
        this.#codes.add(data.error.code);
        return;
      }
      case 'EFFECT_RESOLVED':
      case 'EFFECT_CANCELLED': {
        const effect = this.#effects.get(data.effectId);
        if (effect) effect.isOpen = false;
        if ('error' in data && data.error) this.#codes.add(data.error.code);
        return;
      }
      case 'RUN_CANCEL_REQUESTED':
        this.#isCancelled = true;
        return;
      case 'PROCESS_RUNTIME_ERROR':
        this.#hasError = true;
        return;
      default:
        this.#end = ENDS.get(type) ?? this.#end;
    }
  }

  #checkDecision({ type, data }: EntryDraft): void {
    if (this.#end) throw impossible(`it returned the entry ${type} in a run that has ended`);
    switch (type) {
      case 'EFFECT_REQUESTED':
        this.#checkRequest(data);
        return;
      case 'EFFECT_CANCELLED': {
        const { effectId, attempt, confirmed, reason } = data;
        const effect = this.#effects.get(effectId);
        if (!effect?.isOpen || effect.attempt !== attempt || confirmed || reason === undefined)
          throw impossible(
            `it cancelled ${effectId}, which is not pending, or recorded a cancellation by someone else`,
          );
        return;
      }
      case 'PROCESS_ASSIGNED': {
        const { id, codeHash } = data.process;
        if (id !== this.#process.id || codeHash !== this.#process.codeHash)
          throw impossible('it continued as another process');
        return;
      }
      case 'PROCESS_LOG':
        if (data.label === EXTERNAL_END) throw impossible('it marked its end as recorded by an operator or the owner');
        return;
      case 'RUN_FAILED':
        this.#checkError(data.error);
        return;
      case 'PROCESS_RUNTIME_ERROR':
        this.#checkError(data.error);
        if (!(Date.parse(data.expiresAt) <= this.#latest + OPERATOR_GRACE_MS))
          throw impossible('it waits for an operator for longer than allowed');
        return;
      default:
    }
  }

  #checkError({ code }: ErrorInfo): void {
    if (isOfHost(code) && !this.#codes.has(code))
      throw impossible(`it failed with ${code}, which is reserved for its host`);
  }

  #checkRequest({
    effectId,
    key,
    kind,
    request,
    argsHash,
    attempt,
    limits,
  }: EntryDraft<'EFFECT_REQUESTED'>['data']): void {
    if (effectId !== effectIdOf(this.#run.runId, key)) throw impossible(`${effectId} is not the id of its key`);
    if (this.#effects.has(effectId)) throw impossible(`it requested ${effectId} again`);
    if (attempt !== 1) throw impossible(`it requested attempt ${attempt} of ${effectId}`);
    if (argsHash !== hashJson({ kind, request }))
      throw impossible(`the hash of ${effectId} is not that of its request`);
    if (!(limits.startWithinMs <= MAX_DURATION_MS && limits.runForMs <= MAX_DURATION_MS))
      throw impossible(`the limits of ${effectId} are out of range`);
    const { hasDefinition, resolvedBy } = effectKind(kind);
    if (resolvedBy === 'owner') return;
    if (!requestKinds().includes(kind)) throw impossible(`it requested the unknown kind ${kind}`);
    // The context checked the requests of kinds without a definition, when the process made them.
    const [problem] = hasDefinition ? [] : problemsOfRequest(kind, request, limits);
    if (problem) throw impossible(`it requested an invalid ${kind}: ${problem.message}`);
  }

  /** A final state needs its entry, from the child or in the journal. */
  #checkState(state: CoroutineState, last: EntryDraft | undefined): void {
    const decided = last && ENDS.get(last.type);
    if (decided !== undefined && state !== decided) throw impossible(`it is ${state} after ${last?.type}`);
    const may = {
      waiting: this.#end === undefined && last?.type !== 'PROCESS_RUNTIME_ERROR',
      completed: this.#end === 'completed',
      failed: this.#end === 'failed',
      halted: this.#end === 'halted',
      cancelled: this.#isCancelled || this.#end === 'cancelled',
      broken: this.#hasError,
      diverged: this.#isDiverged,
    };
    if (!may[state]) throw impossible(`it is ${state} without an entry that says so`);
  }

  #checkStep({ effectId, name, attempt, notBefore, timeoutMs }: TurnMessage['steps'][number]): void {
    const effect = this.#effects.get(effectId);
    if (!effect?.isOpen || effectKind(effect.kind).resolvedBy !== 'owner')
      throw impossible(`the step ${effectId} was not requested`);
    if (attempt !== effect.attempt) throw impossible(`attempt ${attempt} of ${effectId} is not due`);
    const { name: requested } = isObject(effect.request) ? effect.request : {};
    if (requested !== undefined && requested !== name) throw impossible(`the step ${effectId} has another name`);
    if (notBefore > this.#latest + LONGEST_WAIT_MS || timeoutMs > LONGEST_WAIT_MS || timeoutMs < 0)
      throw impossible(`the times of ${effectId} are out of range`);
  }
}

/** The label of the log entry before an end that the process did not decide. */
const EXTERNAL_END = (externalEndMark({}) as EntryDraft<'PROCESS_LOG'>).data.label;

/** The state of a process for each entry that ends a run. */
const ENDS: ReadonlyMap<string, CoroutineState> = new Map([
  ['RUN_COMPLETED', 'completed'],
  ['RUN_FAILED', 'failed'],
  ['RUN_HALTED', 'halted'],
  ['RUN_CANCELLED', 'cancelled'],
] as const);

function impossible(what: string): ReinsError {
  return new ReinsError({ code: 'process_crashed', message: `the child sent an impossible message: ${what}` });
}
