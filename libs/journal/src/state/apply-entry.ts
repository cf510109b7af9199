import {
  defined,
  type EntryData,
  type EntryType,
  ReinsError,
  type RunAddress,
  type StageResume,
  type Usage,
} from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import type { Entry } from '../entries/entry.ts';
import { questionText } from '../facts/question-text.ts';
import { smallFields } from '../large/large-values.ts';
import { forkedOf, restartPendingEffects } from './forked.ts';
import { type EffectState, emptyRun, type RunEnd, type RunState } from './run-state.ts';
import { usageOutsideResults, withSharedBudget, withSpent } from './spent-budget.ts';
import { validateNextEntry } from './validate-next-entry.ts';

/** How much of a question the state keeps. */
const QUESTION_CHARACTERS = 500;

/** Folds entries into the state of a run. */
export function foldRun(run: RunAddress, entries: Iterable<Entry>): RunState {
  const state = emptyRun(run);
  for (const entry of entries) applyEntry(state, entry);
  return state;
}

/**
 * Changes the state in place to what it is after this entry.
 * @throws ReinsError `journal_corrupt` when the entry cannot be the next one; the state is then unchanged
 */
export function applyEntry(state: RunState, entry: Entry): void {
  const reason = validateNextEntry(state, entry);
  if (reason) throw new ReinsError(corruptEntry(entry, reason));
  applyData(state, entry);
  if (entry.version === state.forked?.shared) restartPendingEffects(state, state.forked.at);
  state.head = { version: entry.version, hash: entry.hash };
  state.status = state.end?.status ?? (state.waiting.size > 0 ? 'waiting' : statusBefore(entry));
}

/** The problem of an invalid entry, as every reader reports it. */
export function corruptEntry(entry: Pick<Entry, 'version' | 'type'>, reason: string) {
  const message = `entry ${entry.version} (${entry.type}): ${reason}`;
  return { code: 'journal_corrupt', message, path: `entries[${entry.version}]` } as const;
}

const statusBefore = (entry: Entry): 'created' | 'running' => (entry.type === 'RUN_CREATED' ? 'created' : 'running');

type Apply<T extends EntryType> = (state: RunState, entry: Entry<T>) => void;

const noChange = (): void => {};

/** How each entry changes the state, apart from head and status. */
const APPLY: { readonly [T in EntryType]: Apply<T> } = {
  RUN_CREATED: created,
  PROCESS_ASSIGNED: assigned,
  PROCESS_CODE_CHANGED: codeChanged,
  PROCESS_LOG: noChange,
  PROCESS_RUNTIME_ERROR: processFailed,
  EFFECT_PROGRESS: noChange,
  COST_TRACKED: noChange,
  EFFECT_REQUESTED: requested,
  EFFECT_CLAIMED: claimed,
  EFFECT_STARTED: started,
  EFFECT_WAITING: effectWaiting,
  EFFECT_ANSWERED: answered,
  EFFECT_ATTEMPT_FAILED: attemptFailed,
  EFFECT_RESOLVED: resolved,
  EFFECT_CANCELLED: (state, { data }) => closed(state, data.effectId, 'cancelled'),
  SIGNAL_RECEIVED: signalled,
  EFFECT_INVALIDATED: invalidated,
  APPROVAL_RESOLVED: waitAnswered,
  BUDGET_EXCEEDED: noChange,
  RUN_PAUSED: paused,
  RUN_RESUMED: resumed,
  RUN_CANCEL_REQUESTED: cancelRequested,
  RUN_COMPLETED: (state, { data, recordedAt }) => ended(state, { status: 'completed', ...data, endedAt: recordedAt }),
  RUN_FAILED: (state, { data, recordedAt }) =>
    ended(state, { status: 'failed', error: data.error, endedAt: recordedAt }),
  RUN_CANCELLED: (state, { data, recordedAt }) => ended(state, { status: 'cancelled', ...data, endedAt: recordedAt }),
  RUN_HALTED: (state, { data, recordedAt }) => ended(state, { status: 'halted', ...data, endedAt: recordedAt }),
  RUN_ARCHIVED: archived,
};

function applyData<T extends EntryType>(state: RunState, entry: Entry<T>): void {
  (APPLY[entry.type] as Apply<T>)(state, entry);
}

function created(state: RunState, { data, recordedAt }: Entry<'RUN_CREATED'>): void {
  const { sessionId, agentId, revision, process, session, idempotencyKey } = data;
  const { assignBy, metadata, parent, traceparent, tracestate, userId } = data;
  Object.assign(state, {
    sessionId,
    agentId,
    revision,
    process,
    session,
    idempotencyKey,
    createdAt: recordedAt,
    ...(metadata && { metadata }),
    ...(parent && { parent }),
    ...defined({ traceparent, tracestate, assignBy, userId }),
  });
  setInputs(state, data);
  waitForProcess(state);
  const forked = forkedOf(data.forkedFrom);
  if (forked) Object.assign(state, { forked, createdAt: forked.at });
  recordCommand(state, idempotencyKey);
}

function setInputs(
  state: RunState,
  { inputs, inputsRef }: Pick<EntryData['PROCESS_ASSIGNED'], 'inputs' | 'inputsRef'>,
) {
  if (inputs === undefined) return;
  state.inputs = inputs;
  if (inputsRef) state.inputsRef = inputsRef;
  else delete state.inputsRef;
}

function requested(state: RunState, { data, recordedAt, version }: Entry<'EFFECT_REQUESTED'>): void {
  const asked = { firstRequestedAt: recordedAt, requestedAt: recordedAt, requestedVersion: version };
  const request = withSpent(withSharedBudget(data.request, state), () => usageOutsideResults(state));
  const effect: EffectState = { ...data, request, ...asked, status: 'requested', failures: [] };
  state.effects.set(effect.effectId, effect);
  state.pending.add(effect.effectId);
  clearProcessError(state);
  const { count, suspension } = effectKind(effect.kind);
  if (suspension) state.waiting.set(effect.effectId, suspension.reason);
  count?.(state, data.request);
}

function assigned(state: RunState, { data, version }: Entry<'PROCESS_ASSIGNED'>): void {
  const { idempotencyKey, metadata, process } = data;
  recordCommand(state, idempotencyKey);
  // A process that continues as new keeps its code.
  const { id, revision } = state.process;
  const isContinued = data.previous === undefined && process.id === id && revision !== undefined;
  state.process = isContinued ? { ...process, revision } : process;
  state.assignedVersion = version;
  state.assignedWhileWaiting = state.waiting.has(state.run.runId);
  setInputs(state, data);
  if (metadata) state.metadata = metadata;
  clearProcessError(state);
  if (state.assignBy === undefined) return;
  delete state.assignBy;
  if (!state.paused) state.waiting.delete(state.run.runId);
}

/** A run without a process waits until one is assigned. */
function waitForProcess({ assignBy, run, waiting }: RunState): void {
  if (assignBy !== undefined) waiting.set(run.runId, 'process');
}

function codeChanged(state: RunState, { data }: Entry<'PROCESS_CODE_CHANGED'>): void {
  const { to, revision, idempotencyKey } = data;
  recordCommand(state, idempotencyKey);
  state.process = { ...state.process, codeHash: to, ...defined({ revision }) };
  if (revision !== undefined) state.assignedWhileWaiting = state.waiting.has(state.run.runId);
  clearProcessError(state);
}

function claimed(state: RunState, { data, recordedAt }: Entry<'EFFECT_CLAIMED'>): void {
  const effect = effectOf(state, data.effectId);
  effect.status = 'claimed';
  effect.claimedAt = recordedAt;
  if (data.hostId !== undefined) effect.hostId = data.hostId;
}

function started(state: RunState, { data, recordedAt }: Entry<'EFFECT_STARTED'>): void {
  const effect = effectOf(state, data.effectId);
  effect.status = 'started';
  effect.startedAt = recordedAt;
  if (data.hostId !== undefined) effect.hostId = data.hostId;
}

function effectWaiting(state: RunState, { data, recordedAt }: Entry<'EFFECT_WAITING'>): void {
  const effect = effectOf(state, data.effectId);
  effect.status = 'waiting';
  // Work that asks has started, even if its question overtook the message that says so.
  if (data.reason === 'user') effect.startedAt ??= recordedAt;
  if (data.expiresAt !== undefined) effect.expiresAt = data.expiresAt;
  if (data.suspended) effect.suspended = data.suspended;
  if (data.reason === 'user') effect.question = questionText(data.question ?? null).slice(0, QUESTION_CHARACTERS);
  if (data.usage) spentBeforeQuestion(effect, data.usage);
  if (data.questionNumber !== undefined) {
    effect.questionNumber = data.questionNumber;
    state.questions = data.questionNumber;
  }
  state.waiting.set(data.effectId, data.reason);
}

/** The attempt continues with what is left of its budget, and so does the next one. */
function spentBeforeQuestion(effect: EffectState, usage: Usage): void {
  effect.usageBeforeQuestions = [...(effect.usageBeforeQuestions ?? []), usage];
  effect.request = withSpent(effect.request, () => [usage]);
}

function answered(state: RunState, entry: Entry<'EFFECT_ANSWERED'>): void {
  const { answer, effectId, idempotencyKey, resumption } = entry.data;
  const effect = effectOf(state, effectId);
  recordCommand(state, idempotencyKey);
  waitAnswered(state, entry);
  if (resumption !== undefined) resume(effect, entry.recordedAt, { number: resumption, answer });
}

/** Suspended work is requested again. It continues from its files and its session, with the decision. */
function resume(effect: EffectState, at: string, decision: Pick<StageResume, 'number' | 'answer'>): void {
  const { tree, harnessSessionId, signals = 0 } = effect.suspended ?? {};
  requestAgain(effect, at);
  effect.resumptions = decision.number;
  effect.request = {
    ...effect.request,
    ...defined({ tree, harnessSessionId }),
    resume: { ...decision, signals },
  };
}

function requestAgain(effect: EffectState, at: string): void {
  effect.status = 'requested';
  effect.requestedAt = at;
  delete effect.suspended;
  delete effect.claimedAt;
  delete effect.startedAt;
  delete effect.hostId;
}

/** The wait is over. If the executor asked a question, it continues and its run timeout restarts. */
function waitAnswered(
  state: RunState,
  { data: { effectId }, recordedAt }: Entry<'EFFECT_ANSWERED' | 'APPROVAL_RESOLVED'>,
): void {
  if (effectId === undefined) return;
  state.waiting.delete(effectId);
  const effect = effectOf(state, effectId);
  delete effect.expiresAt;
  delete effect.questionNumber;
  delete effect.question;
  if (effect.status !== 'waiting') return;
  effect.status = statusOfWork(effect);
  if (effect.startedAt !== undefined) effect.startedAt = recordedAt;
}

function statusOfWork({ claimedAt, startedAt }: EffectState): 'requested' | 'claimed' | 'started' {
  if (startedAt !== undefined) return 'started';
  return claimedAt === undefined ? 'requested' : 'claimed';
}

function attemptFailed(state: RunState, { data, recordedAt }: Entry<'EFFECT_ATTEMPT_FAILED'>): void {
  const { effectId, attempt, outcome, error, usage, nextAttempt, nextRequest } = data;
  const effect = effectOf(state, effectId);
  effect.failures.push({ attempt, outcome, error, ...(usage && { usage }) });
  state.waiting.delete(effectId);
  if (nextAttempt === undefined) return;
  delete effect.question;
  effect.attempt = nextAttempt;
  effect.request = withSpent({ ...effect.request, ...nextRequest }, () => [usage]);
  requestAgain(effect, recordedAt);
}

function resolved(state: RunState, { data }: Entry<'EFFECT_RESOLVED'>): void {
  const { effectId, status, value, valueRef, error } = data;
  const effect = effectOf(state, effectId);
  const ref = valueRef && { valueRef };
  if (status === 'ok') effect.result = { status, value: value ?? null, ...ref };
  else if (error) effect.result = { status, error, ...defined({ value }), ...ref };
  closed(state, effectId, 'resolved');
}

function closed(state: RunState, effectId: string, status: 'resolved' | 'cancelled'): void {
  const effect = effectOf(state, effectId);
  effect.status = status;
  // While the effect was pending, its owner needed the whole request for the next attempt.
  if (effect.requestRef) effect.request = smallFields(effect.request);
  state.pending.delete(effectId);
  state.waiting.delete(effectId);
}

function processFailed(state: RunState, { data }: Entry<'PROCESS_RUNTIME_ERROR'>): void {
  const { error, effectId, expiresAt } = data;
  state.processError = { error, expiresAt, ...defined({ effectId }) };
  state.waiting.set(state.run.runId, 'operator');
}

function cancelRequested(state: RunState, { data, recordedAt }: Entry<'RUN_CANCEL_REQUESTED'>): void {
  state.cancelRequested ??= {
    at: recordedAt,
    ...defined({ reason: data.reason, by: data.requestedBy }),
  };
  recordCommand(state, data.idempotencyKey);
  delete state.paused;
  if (!state.processError) state.waiting.delete(state.run.runId);
}

function paused(state: RunState, { data, recordedAt }: Entry<'RUN_PAUSED'>): void {
  recordCommand(state, data.idempotencyKey);
  state.paused = { at: recordedAt, ...defined({ reason: data.reason, error: data.error }) };
  state.waiting.set(state.run.runId, 'operator');
}

function resumed(state: RunState, { data }: Entry<'RUN_RESUMED'>): void {
  recordCommand(state, data.idempotencyKey);
  delete state.paused;
  delete state.processError;
  state.waiting.delete(state.run.runId);
  waitForProcess(state);
}

/** Removes the effect and everything that was requested after it. Only the numbers of their attempts are kept. */
function invalidated(state: RunState, { data }: Entry<'EFFECT_INVALIDATED'>): void {
  recordCommand(state, data.idempotencyKey);
  const from = effectOf(state, data.effectId).requestedVersion;
  for (const { effectId, requestedVersion, attempt } of [...state.effects.values()]) {
    if (requestedVersion < from) continue;
    state.earlierAttempts.set(effectId, attempt);
    state.effects.delete(effectId);
    state.pending.delete(effectId);
    state.waiting.delete(effectId);
  }
  clearProcessError(state);
}

function signalled(state: RunState, { data: { name, effectId, idempotencyKey } }: Entry<'SIGNAL_RECEIVED'>): void {
  recordCommand(state, idempotencyKey);
  if (effectId === undefined) state.earlySignals.set(name, (state.earlySignals.get(name) ?? 0) + 1);
}

function recordCommand(state: RunState, idempotencyKey: string | undefined): void {
  if (idempotencyKey !== undefined) state.commands.add(idempotencyKey);
}

/** Clears the process error: the process has new code, or it made progress and requested another effect. */
function clearProcessError(state: RunState): void {
  if (!state.processError) return;
  delete state.processError;
  if (!state.paused) state.waiting.delete(state.run.runId);
}

function ended(state: RunState, end: RunEnd): void {
  state.end = end;
  state.waiting.clear();
  delete state.paused;
  delete state.processError;
}

/** A journal with only the archive stub contains just the final status. */
function archived(state: RunState, { data, recordedAt }: Entry<'RUN_ARCHIVED'>): void {
  state.archive = data.archiveRef;
  state.end ??= stubEnd(data.terminalType, recordedAt);
}

function stubEnd(terminalType: string, endedAt: string): RunEnd {
  switch (terminalType) {
    case 'RUN_FAILED':
      return { status: 'failed', error: { code: 'run_archived', message: 'the error is in the archive' }, endedAt };
    case 'RUN_CANCELLED':
      return { status: 'cancelled', endedAt };
    case 'RUN_HALTED':
      return { status: 'halted', endedAt };
    default:
      return { status: 'completed', output: null, endedAt };
  }
}

/** The effect of an entry. Its existence was checked before. */
function effectOf(state: RunState, effectId: string): EffectState {
  return state.effects.get(effectId) as EffectState;
}
