import {
  type AnyEvent,
  defined,
  type EventType,
  isToken,
  type JsonObject,
  type JsonValue,
  type Usage,
} from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import { type Entry, emissionId } from '../entries/entry.ts';
import { type EffectState, pendingEffects, type RunState } from '../state/run-state.ts';
import { cancelled } from './cancelled.ts';
import { endDirective, type RequestedAgain, runDirective } from './directives.ts';
import { effectIdentity } from './effect-identity.ts';
import { type EmissionTrace, emissionTrace } from './emission-trace.ts';
import { type FactDraft, fact, optional } from './fact-draft.ts';
import { inputFields } from './input-fields.ts';
import { parentField } from './parent-field.ts';
import { questionText } from './question-text.ts';
import { requestFields } from './request-fields.ts';
import { codeCorrected, processAssigned, processMissing, runResumed } from './suspension.ts';
import { usageFact } from './usage-fact.ts';
import { processErrorText, waitingFact } from './wait-facts.ts';

/** An event to publish because of an entry. Its id follows from the entry, so publishing it twice is harmless. */
export interface Emission {
  readonly id: string;
  readonly body: AnyEvent;
  /** The version of the entry it follows from. */
  readonly version: number;
  /** For stage requests: the runtime id, the last token of the subject. */
  readonly runtimeId?: string;
  /** The terminal fact of the run. It is published only if the run has none yet. */
  readonly terminal: boolean;
  /** Set for a run that was submitted within a trace. */
  readonly trace?: EmissionTrace;
}

/**
 * The events to publish after an entry, in order. Pure.
 * @param state the state of the run after the entry was applied
 */
export function factsOf(state: RunState, entry: Entry): Emission[] {
  if (isRestoredEnd(entry)) return [];
  const isShared = entry.version <= (state.forked?.shared ?? 0);
  const bodies = isShared ? sharedBodies(state, entry) : bodiesOf(state, entry);
  return bodies.map((draft, index) => emission(state, entry, draft, index));
}

/** Whether the entry is the end of a run that was restored from the event log, which has its facts. */
export const isRestoredEnd = ({ data }: Entry): boolean => 'sealed' in data && data.sealed === 'told';

/**
 * The facts of entries that a fork shares with its source run: only the results. Requests, waits, decisions and costs
 * belong to the source run. The last shared entry also emits the requests of the effects that are still pending.
 */
function sharedBodies(state: RunState, entry: Entry): FactDraft[] {
  const results = bodiesOf(state, entry)
    .filter(({ type }) => !NOT_SHARED.test(type))
    .map((draft) => withRequest(state, entry, draft));
  if (entry.version !== state.forked?.shared) return results;
  const { at } = state.forked;
  const pending = pendingEffects(state).flatMap((effect) => requested(state, effect, at));
  return [...results, ...processMissing(state), ...pending];
}

/** A shared effect has no requested fact, so its started fact has the fields that projections need. */
function withRequest(state: RunState, entry: Entry, draft: FactDraft): FactDraft {
  if (entry.type !== 'EFFECT_STARTED' || !('fields' in draft)) return draft;
  const { kind, request } = effectOf(state, entry.data.effectId);
  const { facts, sharedStart = [] } = effectKind(kind);
  if (draft.type !== facts.started) return draft;
  const known = sharedStart.filter((name) => request[name] !== undefined).map((name) => [name, request[name]]);
  return fact(draft.type, { ...draft.fields, ...Object.fromEntries(known) });
}

const NOT_SHARED =
  /\.(requested|claimed|progress|waiting|resumed|recorded|emitted|kept|lifecycle)$|^runtime\.approval\./;

function bodiesOf(state: RunState, entry: Entry): FactDraft[] {
  switch (entry.type) {
    case 'RUN_CREATED':
      return [
        fact('runtime.request.started', {
          ...parentField(state),
          ...inputFields(state),
          ...defined({ retryOf: entry.data.retryOf }),
          ...forkedFrom(entry.data.forkedFrom),
        }),
        ...processMissing(state),
      ];
    case 'PROCESS_ASSIGNED':
      return processAssigned(state, entry);
    case 'COST_TRACKED':
      return [usageFact(entry.data.stage, entry.data.runtimeId, entry.data.usage)];
    case 'EFFECT_REQUESTED':
      return requested(state, effectOf(state, entry.data.effectId), entry.recordedAt);
    case 'EFFECT_CLAIMED':
      return claimed(effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_STARTED':
      return started(effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_WAITING':
      return waiting(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_ANSWERED':
      return answered(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_ATTEMPT_FAILED':
      return attemptFailed(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_RESOLVED':
      return resolved(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_CANCELLED':
      return cancelled(state, effectOf(state, entry.data.effectId), entry.data.reason ?? 'no longer needed');
    case 'SIGNAL_RECEIVED':
      return entry.data.effectId
        ? runResumed(state, entry.data.effectId, `signal ${entry.data.name}`)
        : [fact('runtime.signal.kept', { signal: entry.data.name })];
    case 'APPROVAL_RESOLVED':
      return approvalResolved(state, entry);
    case 'BUDGET_EXCEEDED':
      return [fact('runtime.budget.exceeded', { ...entry.data })];
    case 'EFFECT_INVALIDATED':
      return runResumed(state, entry.data.effectId, 'the effect will be requested again');
    case 'RUN_PAUSED':
      return [
        waitingFact(state, { reason: 'operator', effectId: state.run.runId }, entry.data.reason),
        runDirective(
          state,
          'wait',
          entry.data.reason ?? entry.data.error?.message ?? 'an operator paused the run',
          defined({ extra: whoOf({ requested_by: entry.data.requestedBy }) }),
        ),
      ];
    case 'RUN_RESUMED':
      return runResumed(
        state,
        state.run.runId,
        entry.data.reason ?? 'an operator resumed the run',
        whoOf({ requested_by: entry.data.requestedBy }),
      );
    case 'PROCESS_RUNTIME_ERROR':
      return [
        waitingFact(
          state,
          {
            reason: 'operator',
            effectId: entry.data.effectId ?? state.run.runId,
            expiresAt: entry.data.expiresAt,
          },
          processErrorText(entry.data.error),
        ),
        runDirective(state, 'wait', entry.data.error.message),
      ];
    case 'RUN_COMPLETED':
      return [
        fact('runtime.request.completed', { output: entry.data.output }),
        endDirective(state, 'completed', 'the process returned'),
      ];
    case 'RUN_HALTED':
      return [
        fact('runtime.request.completed', {
          output: entry.data.payload ?? null,
          halted: true,
          ...defined({ reason: entry.data.reason, haltedBy: entry.data.requestedBy }),
        }),
        endDirective(state, 'completed', entry.data.reason ?? 'the process halted'),
      ];
    case 'RUN_FAILED':
      return [
        fact('runtime.request.failed', { error: { ...entry.data.error } }),
        endDirective(state, 'failed', entry.data.error.message),
      ];
    case 'RUN_CANCELLED':
      return [
        fact('runtime.request.cancelled', { ...entry.data, ...cancelledBy(state) }),
        endDirective(state, 'cancelled', entry.data.reason ?? 'cancelled'),
      ];
    case 'PROCESS_CODE_CHANGED':
      return codeCorrected(state, entry);
    case 'EFFECT_PROGRESS':
      return progressed(effectOf(state, entry.data.effectId), entry);
    case 'PROCESS_LOG':
    case 'RUN_CANCEL_REQUESTED':
    case 'RUN_ARCHIVED':
      return [];
  }
}

/** The source of a forked request. Forks in run directories have no facts. */
const forkedFrom = (source: JsonObject | undefined): JsonObject =>
  isToken(source?.requestId) ? { forkedFrom: source.requestId } : {};

const cancelledBy = ({ cancelRequested }: RunState): JsonObject =>
  cancelRequested?.by === undefined ? {} : { cancelledBy: cancelRequested.by };

/** The first request of an effect: its fact, and a directive if it starts a stage or suspends the run. */
function requested(state: RunState, effect: EffectState, at: string): FactDraft[] {
  const { before, directive, suspension } = effectKind(effect.kind);
  const facts = [
    ...(before?.(state, effect) ?? []),
    ...requestedFact(state, effect, at),
    ...(directive ? [directive(state, effect)] : []),
  ];
  if (!suspension) return facts;
  const { directiveExtra, reason } = suspension;
  const expiresAt = typeof effect.request.expiresAt === 'string' ? { expiresAt: effect.request.expiresAt } : {};
  const extra = directiveExtra && { extra: directiveExtra(effect) };
  return [
    ...facts,
    waitingFact(state, { reason, effectId: effect.effectId, ...expiresAt }),
    runDirective(state, 'wait', `waiting for ${reason}`, extra),
  ];
}

function requestedFact({ userId }: RunState, effect: EffectState, at: string): FactDraft[] {
  const { facts, actsForUser } = effectKind(effect.kind);
  const fields = requestFields(effect, at);
  if (!actsForUser) return optional(facts.requested, fields);
  const { userId: _, ...rest } = fields;
  return optional(facts.requested, { ...rest, ...defined({ userId }) });
}

function claimed(effect: EffectState, { data }: Entry<'EFFECT_CLAIMED'>): FactDraft[] {
  const { attempt, hostId = 'unknown' } = data;
  return optional(effectKind(effect.kind).facts.claimed, { ...effectIdentity(effect, attempt), hostId });
}

/** A step of a preparation. A percentage alone is only recorded. */
function progressed(effect: EffectState, { data: { label = '' } }: Entry<'EFFECT_PROGRESS'>): FactDraft[] {
  if (label.trim() === '') return [];
  return optional(effectKind(effect.kind).facts.progress, { ...effectIdentity(effect), label });
}

function started(effect: EffectState, entry: Entry<'EFFECT_STARTED'>): FactDraft[] {
  const { attempt, value = {} } = entry.data;
  const { facts, implied } = effectKind(effect.kind);
  const own = optional(facts.started, { ...effectIdentity(effect, attempt), ...value });
  return [...own, ...(implied?.started(value) ?? [])];
}

/** Who caused a directive, for its `extra`; undefined if that is not known. */
function whoOf(by: Readonly<Record<string, string | undefined>>): JsonObject | undefined {
  const known = defined(by) as JsonObject;
  return Object.keys(known).length > 0 ? known : undefined;
}

/** A suspended effect is requested again. Its number of attempts does not change. */
function answered(state: RunState, effect: EffectState, { data, recordedAt }: Entry<'EFFECT_ANSWERED'>): FactDraft[] {
  const who = whoOf({ answered_by: data.answeredBy });
  const facts = runResumed(state, data.effectId, 'the question was answered', who);
  return data.resumption === undefined ? facts : [...facts, ...again(state, effect, recordedAt, 'continue')];
}

/** The effect is requested once more. */
function again(state: RunState, effect: EffectState, at: string, why: RequestedAgain): FactDraft[] {
  const { directive } = effectKind(effect.kind);
  return [...requestedFact(state, effect, at), ...(directive ? [directive(state, effect, why)] : [])];
}

function waiting(state: RunState, effect: EffectState, entry: Entry<'EFFECT_WAITING'>): FactDraft[] {
  const { effectId, reason, subject, question, questionNumber, expiresAt, usage } = entry.data;
  const { facts, implied } = effectKind(effect.kind);
  const asked = {
    ...effectIdentity(effect),
    question,
    reason,
    ...defined({ subject, questionNumber }),
    ...(usage && { usage: { ...usage } }),
  };
  return [
    ...optional(facts.question, asked),
    ...(implied?.used(effect, usage) ?? []),
    waitingFact(state, { reason, effectId, expiresAt }, question === undefined ? undefined : questionText(question)),
    runDirective(state, 'wait', `waiting for ${reason}`),
  ];
}

function attemptFailed(state: RunState, effect: EffectState, entry: Entry<'EFFECT_ATTEMPT_FAILED'>): FactDraft[] {
  const { attempt, error, retryable, usage, outcome, nextAttempt, nextDirective } = entry.data;
  const failed = {
    ...failedIdentity(effect, entry),
    attempt,
    error: { ...error },
    retryable,
    outcome,
    ...(usage && { usage: { ...usage } }),
  };
  const { facts, implied } = effectKind(effect.kind);
  const failure = [...optional(facts.failed, failed), ...(implied?.used(effect, usage) ?? [])];
  return nextAttempt === undefined
    ? failure
    : [...failure, ...again(state, effect, entry.recordedAt, nextDirective ?? 'retry')];
}

/** The next attempt may run on a different runtime. */
function failedIdentity(effect: EffectState, entry: Entry<'EFFECT_ATTEMPT_FAILED'>): JsonObject {
  const previous = entry.data.nextRequest?.previousRuntimeId;
  return {
    ...effectIdentity(effect, entry.data.attempt),
    ...(typeof previous === 'string' && { runtimeId: previous }),
  };
}

/**
 * The result of an effect, and the end of the suspension. Signals and approvals have published their facts with their
 * own entries.
 */
function resolved(state: RunState, effect: EffectState, entry: Entry<'EFFECT_RESOLVED'>): FactDraft[] {
  const { suspension } = effectKind(effect.kind);
  const because = suspension?.resumedBecause(entry.data.status);
  const resumption = because === undefined ? [] : runResumed(state, effect.effectId, because);
  return [...resultFacts(effect, entry), ...resumption];
}

function resultFacts(effect: EffectState, { data }: Entry<'EFFECT_RESOLVED'>): FactDraft[] {
  const { status, value, error, attempt, retryable, answeredBy } = data;
  const { facts, implied, reportsAttempts } = effectKind(effect.kind);
  const fields = isFields(value) ? value : {};
  const known = { ...effectIdentity(effect, attempt), ...fields, ...defined({ answeredBy }) };
  if (status === 'ok') return [...optional(facts.completed, known), ...(implied?.completed(effect, fields) ?? [])];
  // The entry of the failed attempt has published this failure already.
  if (effect.failures.some((failure) => failure.attempt === attempt)) return [];
  const failure = {
    ...(error && { error: { ...error } }),
    ...(reportsAttempts && { retryable: retryable ?? false, attempt }),
  };
  const spent = implied?.used(effect, fields.usage as Usage | undefined) ?? [];
  return [...optional(facts.failed, { ...known, ...failure }), ...spent];
}

function approvalResolved(state: RunState, entry: Entry<'APPROVAL_RESOLVED'>): FactDraft[] {
  const { effectId, ...decided } = entry.data;
  const facts = [fact('runtime.approval.resolved', decided)];
  return effectId ? [...facts, ...runResumed(state, effectId, `approval ${decided.decision}`)] : facts;
}

function effectOf(state: RunState, effectId: string): EffectState {
  const effect = state.effects.get(effectId);
  if (!effect)
    throw new Error(`the journal of ${state.run.runId} has an entry for effect ${effectId}, which was never requested`);
  return effect;
}

const isFields = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TERMINAL: ReadonlySet<EventType> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

function emission(state: RunState, entry: Entry, draft: FactDraft, index: number): Emission {
  const id = emissionId(entry, index);
  const head = {
    requestId: state.run.runId,
    sessionId: state.sessionId,
    agentId: state.agentId,
    workspaceId: state.run.workspaceId,
  };
  const own = draft.type === 'control.directive.emitted' ? { idempotencyKey: id } : {};
  const body = { type: draft.type, ...head, ...draft.fields, ...own } as unknown as AnyEvent;
  const runtimeId = body.type === 'runtime.stage.requested' ? { runtimeId: body.runtimeId } : {};
  const terminal = TERMINAL.has(draft.type);
  const { effectId } = draft.type === 'control.directive.emitted' ? {} : draft.fields;
  const trace = emissionTrace(state, entry, draft.type, { effectId, terminal });
  return { id, body, version: entry.version, terminal, ...runtimeId, ...(trace && { trace }) };
}
