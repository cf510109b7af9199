import type { AnyEvent, EventType, JsonObject, JsonValue, Usage } from '@reins/contracts';
import { type Entry, emissionId } from '../entries/entry.ts';
import { type EffectState, pendingEffects, type RunState } from '../state/run-state.ts';
import { cancelled } from './cancelled.ts';
import { endDirective, runDirective, stageDirective } from './directives.ts';
import { effectKind } from './effect-kinds.ts';
import { type EmissionTrace, emissionTrace } from './emission-trace.ts';
import { requestFields } from './request-fields.ts';
import { hasProcess, resumed, waitsForProcess } from './suspension.ts';
import { fact, identity, optional, type Told } from './told.ts';

/** Something to tell because of an entry. Its id follows from the entry, so telling it twice is harmless. */
export interface Emission {
  readonly id: string;
  readonly body: AnyEvent;
  /** The version of the entry it follows from. */
  readonly version: number;
  /** Of stage requests: the runtime id that the subject ends in. */
  readonly runtimeId?: string;
  /** The run's one terminal fact: published only where no other one is. */
  readonly terminal: boolean;
  /** Of a run that was submitted in a trace. */
  readonly trace?: EmissionTrace;
}

/**
 * What is told after an entry, in this order. Pure.
 * @param state the state of the run after the entry was applied
 */
export function factsOf(state: RunState, entry: Entry): Emission[] {
  const isShared = entry.version <= (state.forked?.shared ?? 0);
  const bodies = isShared ? sharedBodies(state, entry) : bodiesOf(state, entry);
  return bodies.map((told, index) => emission(state, entry, told, index));
}

/**
 * Of entries that a fork shares: what came of the work, so that whoever reads knows it, and not that anybody was asked, that the run
 * waited, what was decided or what it cost: that was the other run. With the last of them, this run asks for what is pending.
 */
function sharedBodies(state: RunState, entry: Entry): Told[] {
  const results = bodiesOf(state, entry).filter(({ type }) => !NOT_OF_A_FORK.test(type));
  if (entry.version !== state.forked?.shared) return results;
  const { at } = state.forked;
  const pending = pendingEffects(state).flatMap((effect) => requested(state, effect, at));
  return [...results, ...waitsForProcess(state), ...pending];
}

const NOT_OF_A_FORK = /\.(requested|waiting|resumed|recorded|emitted)$|^runtime\.approval\./;

function bodiesOf(state: RunState, entry: Entry): Told[] {
  switch (entry.type) {
    case 'RUN_CREATED':
      return [fact('runtime.request.started', {}), ...waitsForProcess(state)];
    case 'PROCESS_ASSIGNED':
      return hasProcess(state, entry);
    case 'COST_TRACKED':
      return [usageFact(entry.data.stage, entry.data.runtimeId, entry.data.usage)];
    case 'EFFECT_REQUESTED':
      return requested(state, effectOf(state, entry.data.effectId), entry.recordedAt);
    case 'EFFECT_STARTED':
      return started(effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_WAITING':
      return waiting(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_ANSWERED':
      return resumed(state, entry.data.effectId, 'the question was answered');
    case 'EFFECT_ATTEMPT_FAILED':
      return attemptFailed(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_RESOLVED':
      return resolved(state, effectOf(state, entry.data.effectId), entry);
    case 'EFFECT_CANCELLED':
      return cancelled(
        state,
        effectOf(state, entry.data.effectId),
        entry.data.reason ?? 'nobody waits for it any more',
      );
    case 'SIGNAL_RECEIVED':
      return entry.data.effectId ? resumed(state, entry.data.effectId, `signal ${entry.data.name}`) : [];
    case 'APPROVAL_RESOLVED':
      return approvalResolved(state, entry);
    case 'BUDGET_EXCEEDED':
      return [fact('runtime.budget.exceeded', { ...entry.data })];
    case 'EFFECT_INVALIDATED':
      return resumed(state, entry.data.effectId, 'the effect is asked for again');
    case 'RUN_PAUSED':
      return [
        fact('runtime.request.waiting', { reason: 'operator', effectId: state.run.runId }),
        runDirective(state, 'wait', entry.data.reason ?? 'an operator paused the run'),
      ];
    case 'RUN_RESUMED':
      return resumed(state, state.run.runId, entry.data.reason ?? 'an operator let the run go on');
    case 'PROCESS_RUNTIME_ERROR':
      return [
        fact('runtime.request.waiting', {
          reason: 'operator',
          effectId: entry.data.effectId ?? state.run.runId,
          expiresAt: entry.data.expiresAt,
        }),
        runDirective(state, 'wait', entry.data.error.message),
      ];
    case 'RUN_COMPLETED':
      return [
        fact('runtime.request.completed', { output: entry.data.output }),
        endDirective(state, 'completed', 'the process returned'),
      ];
    case 'RUN_HALTED':
      return [
        fact('runtime.request.completed', { output: entry.data.payload ?? null, halted: true }),
        endDirective(state, 'completed', entry.data.reason ?? 'the process halted'),
      ];
    case 'RUN_FAILED':
      return [
        fact('runtime.request.failed', { error: { ...entry.data.error } }),
        endDirective(state, 'failed', entry.data.error.message),
      ];
    case 'RUN_CANCELLED':
      return [
        fact('runtime.request.cancelled', { ...entry.data }),
        endDirective(state, 'cancelled', entry.data.reason ?? 'cancelled'),
      ];
    case 'PROCESS_CODE_CHANGED':
    case 'PROCESS_LOG':
    case 'EFFECT_PROGRESS':
    case 'RUN_CANCEL_REQUESTED':
    case 'RUN_ARCHIVED':
      return [];
  }
}

/** The first request of an effect: its fact, and where it starts a stage or suspends the run, the directive. */
function requested(state: RunState, effect: EffectState, at: string): Told[] {
  const kind = effectKind(effect.kind);
  const told = optional(kind.requested, requestFields(effect, at));
  if (effect.kind === 'stage') return [...told, stageDirective(state, effect)];
  if (!kind.waiting) return told;
  const expiresAt = typeof effect.request.expiresAt === 'string' ? { expiresAt: effect.request.expiresAt } : {};
  return [
    ...told,
    fact('runtime.request.waiting', { reason: kind.waiting, effectId: effect.effectId, ...expiresAt }),
    runDirective(state, 'wait', `waiting for ${kind.waiting}`),
  ];
}

function started(effect: EffectState, entry: Entry<'EFFECT_STARTED'>): Told[] {
  const { attempt, value = {} } = entry.data;
  const { started: type } = effectKind(effect.kind);
  return [...optional(type, { ...identity(effect, attempt), ...value }), ...unavailableServers(effect, value)];
}

function waiting(state: RunState, effect: EffectState, entry: Entry<'EFFECT_WAITING'>): Told[] {
  const { effectId, reason, question, expiresAt } = entry.data;
  return [
    ...(effect.kind === 'stage' ? [fact('runtime.stage.waiting', { ...identity(effect), question })] : []),
    fact('runtime.request.waiting', { reason, effectId, ...(expiresAt && { expiresAt }) }),
    runDirective(state, 'wait', `waiting for ${reason}`),
  ];
}

function attemptFailed(state: RunState, effect: EffectState, entry: Entry<'EFFECT_ATTEMPT_FAILED'>): Told[] {
  const { attempt, error, retryable, usage, outcome, nextAttempt, nextDirective } = entry.data;
  const failed = {
    ...failedIdentity(effect, entry),
    attempt,
    error: { ...error },
    retryable,
    outcome,
    ...(usage && { usage: { ...usage } }),
  };
  const kind = effectKind(effect.kind);
  const told = [...optional(kind.failed, failed), ...usageOf(effect, usage)];
  if (nextAttempt === undefined) return told;
  const again = optional(kind.requested, requestFields(effect, entry.recordedAt));
  return [
    ...told,
    ...again,
    ...(effect.kind === 'stage' ? [stageDirective(state, effect, nextDirective ?? 'retry')] : []),
  ];
}

/** The attempt that failed may have run elsewhere than the next one will. */
function failedIdentity(effect: EffectState, entry: Entry<'EFFECT_ATTEMPT_FAILED'>): JsonObject {
  const previous = entry.data.nextRequest?.previousRuntimeId;
  return { ...identity(effect, entry.data.attempt), ...(typeof previous === 'string' && { runtimeId: previous }) };
}

function resolved(state: RunState, effect: EffectState, entry: Entry<'EFFECT_RESOLVED'>): Told[] {
  const { status, value, error, attempt, retryable } = entry.data;
  const kind = effectKind(effect.kind);
  const carried = isFields(value) ? value : {};
  if (kind.waiting && kind.waiting !== 'child') return waitEnded(state, effect, status);
  const back = kind.waiting ? resumed(state, effect.effectId, 'the child run ended') : [];
  if (status === 'error') {
    // A last attempt that failed was told when it failed.
    if (effect.failures.some((failure) => failure.attempt === attempt)) return back;
    const failure = {
      ...(error && { error: { ...error } }),
      ...(effect.kind === 'stage' && { retryable: retryable ?? false, attempt }),
    };
    const spent = usageOf(effect, carried.usage as Usage | undefined);
    return [...optional(kind.failed, { ...identity(effect, attempt), ...carried, ...failure }), ...spent, ...back];
  }
  const completed = optional(kind.completed, { ...identity(effect, attempt), ...carried });
  return [...completed, ...carriedFacts(effect, carried), ...back];
}

/** That a signal came and that a person decided was told by entries of their own; only time is told here. */
function waitEnded(state: RunState, { kind, effectId }: EffectState, status: 'ok' | 'error'): Told[] {
  if (kind === 'sleep') return resumed(state, effectId, 'the time has come');
  return kind === 'signal' && status === 'error' ? resumed(state, effectId, 'the signal did not come in time') : [];
}

/** What an answer carries beside its own fact. */
function carriedFacts(effect: EffectState, value: JsonObject): Told[] {
  if (effect.kind !== 'stage') return [];
  return [
    ...listOf(value.artifacts).map((artifact) => fact('runtime.artifact.created', { artifact })),
    ...unavailableServers(effect, value),
    ...listOf(value.deniedTools).map((denied) => fact('runtime.tool.denied', { ...denied })),
    ...usageOf(effect, value.usage as Usage | undefined),
  ];
}

/** Those that were missing when a stage started, or were lost while it ran. */
function unavailableServers({ kind }: EffectState, { degradedServers }: JsonObject): Told[] {
  return listOf(kind === 'stage' ? degradedServers : []).map((server) =>
    fact('runtime.mcp.server.unavailable', { ...server }),
  );
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

function approvalResolved(state: RunState, entry: Entry<'APPROVAL_RESOLVED'>): Told[] {
  const { effectId, ...decided } = entry.data;
  const told = [fact('runtime.approval.resolved', decided)];
  return effectId ? [...told, ...resumed(state, effectId, `approval ${decided.decision}`)] : told;
}

const usageOf = (effect: EffectState, usage: Usage | undefined): Told[] =>
  usage && effect.kind === 'stage'
    ? [usageFact(String(effect.request.stage), String(effect.request.runtimeId), usage)]
    : [];

function usageFact(stage: string, runtimeId: string, usage: Usage): Told {
  const { provider = 'unknown', model = 'unknown', inputTokens, cachedInputTokens = 0, outputTokens, costUsd } = usage;
  const cost = costUsd === undefined ? {} : { costUsd };
  return fact('runtime.usage.recorded', {
    stage,
    runtimeId,
    provider,
    model,
    inputTokens,
    cachedInputTokens,
    outputTokens,
    ...cost,
  });
}

function effectOf(state: RunState, effectId: string): EffectState {
  const effect = state.effects.get(effectId);
  if (!effect)
    throw new Error(`the journal of ${state.run.runId} speaks of effect ${effectId}, which was never requested`);
  return effect;
}

const isFields = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TERMINAL: ReadonlySet<EventType> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

function emission(state: RunState, entry: Entry, told: Told, index: number): Emission {
  const id = emissionId(entry, index);
  const head = {
    requestId: state.run.runId,
    sessionId: state.sessionId,
    agentId: state.agentId,
    workspaceId: state.run.workspaceId,
  };
  const own = told.type === 'control.directive.emitted' ? { idempotencyKey: id } : {};
  const body = { type: told.type, ...head, ...told.fields, ...own } as unknown as AnyEvent;
  const runtimeId = body.type === 'runtime.stage.requested' ? { runtimeId: body.runtimeId } : {};
  const terminal = TERMINAL.has(told.type);
  const { effectId } = told.type === 'control.directive.emitted' ? {} : told.fields;
  const trace = emissionTrace(state, entry, told.type, { effectId, terminal });
  return { id, body, version: entry.version, terminal, ...runtimeId, ...(trace && { trace }) };
}
