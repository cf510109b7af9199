import { type AnyEvent, defined, type EventOf, type JsonValue, ReinsError } from '@reins/contracts';
import { type EffectState, type EntryDraft, effectKind, pendingEffects, type RunState } from '@reins/journal';
import { externalEndMark } from '@reins/replay';
import { approvalAnswered, approvalResolved, isApproval } from './approvals.ts';
import { cancelAll, cancelRequested } from './cancel.ts';

/** Maximum number of signals that are kept for a process that does not wait for them yet. */
export const MAX_EARLY_SIGNALS = 1_000;

/**
 * Maps a command to entries, for a run that has not ended. Pure. A repeated command changes nothing.
 * @throws ReinsError `signals_full`: the signal is then dead-lettered, and can be redriven once the process has caught up;
 * `answer_invalid`: the answer to a breakpoint is not a decision
 */
export function decideCommand(state: RunState, body: AnyEvent): EntryDraft[] {
  switch (body.type) {
    case 'command.run.cancel':
      return cancelRequested(state, body);
    case 'command.run.answer':
      return isRepeated(state, body) ? [] : answered(state, body);
    case 'command.approval.resolve':
      return approvalResolved(state, body);
    case 'command.signal':
      return isRepeated(state, body) ? [] : signalled(state, body);
    case 'command.run.pause':
      return isRepeated(state, body) ? [] : pause(state, body);
    case 'command.run.resume':
      return isRepeated(state, body) ? [] : resume(state, body);
    case 'command.run.halt':
      return halt(state, body);
    case 'command.effect.cancel':
      return cancelEffect(state, body);
    case 'command.effect.invalidate':
      return isRepeated(state, body) ? [] : invalidate(state, body);
    default:
      return [];
  }
}

const isRepeated = (state: RunState, { idempotencyKey }: { readonly idempotencyKey: string }): boolean =>
  state.commands.has(idempotencyKey);

/** Answers a question of an executor, a task or a breakpoint. */
function answered(
  state: RunState,
  { effectId, answer, error, answeredBy, idempotencyKey, questionNumber }: EventOf<'command.run.answer'>,
): EntryDraft[] {
  const effect = state.effects.get(effectId);
  if (!effect || !state.pending.has(effectId)) return [];
  // The answer may arrive after another one, when the stage has asked its next question already.
  if (questionNumber !== undefined && questionNumber !== effect.questionNumber) return [];
  if (effect.status === 'waiting')
    return [questionAnswered(effect, { answer, idempotencyKey, ...defined({ answeredBy }) })];
  if (isApproval(effect)) return approvalAnswered(effect, error ? undefined : answer, answeredBy);
  if (effectKind(effect.kind).resolvedBy !== 'post') return [];
  const { attempt } = effect;
  const by = answeredBy === undefined ? {} : { answeredBy };
  if (error)
    return [{ type: 'EFFECT_RESOLVED', data: { effectId, attempt, status: 'error', error, retryable: false, ...by } }];
  return [resolvedWith(effect, { value: answer }, by)];
}

/** A suspended stage is requested again. The host of an earlier version still runs its stage, and gets the answer. */
function questionAnswered(
  { effectId, resumptions = 0, suspended }: EffectState,
  answer: Pick<EventOf<'command.run.answer'>, 'answer' | 'idempotencyKey' | 'answeredBy'>,
): EntryDraft {
  const resumption = suspended && { resumption: resumptions + 1 };
  return { type: 'EFFECT_ANSWERED', data: { effectId, ...answer, ...resumption } };
}

/** Resolves the oldest effect that waits for the signal. Without one, the signal is kept, up to the maximum. */
function signalled(state: RunState, { name, payload = null, idempotencyKey }: EventOf<'command.signal'>): EntryDraft[] {
  const waiting = pendingEffects(state).find(({ kind, request }) => effectKind(kind).awaitedSignal?.(request) === name);
  if (!waiting && earlySignals(state) >= MAX_EARLY_SIGNALS) throw signalsFull(state, name);
  const data = { name, payload, idempotencyKey, ...(waiting && { effectId: waiting.effectId }) };
  return [{ type: 'SIGNAL_RECEIVED', data }, ...(waiting ? [resolvedWith(waiting, payload)] : [])];
}

const earlySignals = ({ earlySignals: counts }: RunState): number =>
  counts.values().reduce((sum, count) => sum + count, 0);

const signalsFull = ({ run }: RunState, name: string): ReinsError =>
  new ReinsError({
    code: 'signals_full',
    message: `signal ${name} rejected: ${run.runId} already has ${MAX_EARLY_SIGNALS} signals that its process has not consumed`,
    hint: 'Redrive the dead letter when the process waits for signals again.',
  });

const resolvedWith = (
  { effectId, attempt }: EffectState,
  value: JsonValue,
  by: { readonly answeredBy?: string } = {},
): EntryDraft => ({
  type: 'EFFECT_RESOLVED',
  data: { effectId, attempt, status: 'ok', value, ...by },
});

/** A run that waits for an operator or is being cancelled cannot be paused. */
function pause(state: RunState, body: EventOf<'command.run.pause'>): EntryDraft[] {
  if (state.paused || state.processError || state.cancelRequested) return [];
  return [{ type: 'RUN_PAUSED', data: commandFieldsOf(body) }];
}

/** Resumes a paused run, or one whose process error was fixed. The process is replayed. */
function resume(state: RunState, body: EventOf<'command.run.resume'>): EntryDraft[] {
  return state.paused || state.processError ? [{ type: 'RUN_RESUMED', data: commandFieldsOf(body) }] : [];
}

function halt(state: RunState, { reason, payload, requestedBy }: EventOf<'command.run.halt'>): EntryDraft[] {
  const data = defined({ reason, payload, requestedBy });
  const seal = externalEndMark(reason === undefined ? {} : { reason });
  return [...cancelAll(pendingEffects(state)), seal, { type: 'RUN_HALTED', data }];
}

/** The process sees the cancellation. A follow-up stops the worker of the effect. */
function cancelEffect(state: RunState, { effectId, reason }: EventOf<'command.effect.cancel'>): EntryDraft[] {
  const effect = state.effects.get(effectId);
  return effect && state.pending.has(effectId) ? cancelAll([effect], reason) : [];
}

/** Cancels the effect and all later pending ones. Then the process requests them again. */
function invalidate(state: RunState, body: EventOf<'command.effect.invalidate'>): EntryDraft[] {
  const { effectId } = body;
  const effect = state.effects.get(effectId);
  if (!effect || effect.requestedVersion < state.assignedVersion || state.cancelRequested) return [];
  const later = pendingEffects(state).filter(({ requestedVersion }) => requestedVersion >= effect.requestedVersion);
  return [
    ...cancelAll(later, 'the effect will be requested again'),
    { type: 'EFFECT_INVALIDATED', data: { effectId, ...commandFieldsOf(body) } },
  ];
}

/** The fields of an operator's command that are recorded in the journal. */
interface CommandBody {
  readonly idempotencyKey: string;
  readonly reason?: string;
  readonly requestedBy?: string;
}

const commandFieldsOf = ({ idempotencyKey, reason, requestedBy }: CommandBody): CommandBody => ({
  idempotencyKey,
  ...defined({ reason, requestedBy }),
});
