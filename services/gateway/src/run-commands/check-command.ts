import { type JsonValue, ReinsError, waitCommands } from '@reins/contracts';
import { DECISION_FORM, givenDecision } from '@reins/journal';
import type { WaitingView } from '../requests/wait.responses.ts';
import { openEffectKind } from './open-effect-kinds.ts';
import type { OpenEffect, OpenEffects } from './open-effects.ts';

/** What the event log shows of the target of a command. */
export interface CommandOutcome {
  readonly status: string;
  readonly message?: string;
}

const LISTED = 3;

/** An answer of a call. */
export interface GivenAnswer {
  /** The run that gets it. */
  readonly requestId: string;
  /** Absent if a task failed. */
  readonly answer: JsonValue | undefined;
  /** The question that it is for, if the caller names it. */
  readonly questionNumber?: number | undefined;
}

/**
 * Checks an answer against the effect that it is for.
 * @returns the status of the call: `not_pending` if the run does not wait for this effect, or not for this question
 * @throws ReinsError `answer_invalid` if the answer to a breakpoint is not a decision
 */
export function checkAnswer(
  effects: OpenEffects,
  id: string,
  { requestId, answer, questionNumber }: GivenAnswer,
  status: string,
): CommandOutcome {
  const effect = effects.find(id);
  if (!effect) return notPending(effects, id);
  const { takes } = openEffectKind(effect.kind);
  if (takes === 'signal') return signalExpected(effect, requestId);
  if (questionNumber !== undefined && questionNumber !== effect.questionNumber)
    return otherQuestion(effect, questionNumber);
  if (takes === 'decision' && !givenDecision(answer)) throw notADecision(effect, requestId);
  return { status };
}

/** Whether the run waits for the approval. A question, a task or a signal takes no decision. */
export function checkDecision(
  effects: OpenEffects,
  approvalId: string,
  { requestId, status }: { readonly requestId: string; readonly status: string },
): CommandOutcome {
  const effect = effects.find(approvalId);
  if (!effect) return notPending(effects, approvalId);
  return effect.approvalId === undefined ? decisionRefused(effect, requestId) : { status };
}

/** `sent` if the run waits for the signal; `queued` if it is kept until its process does. */
export function checkSignal(effects: OpenEffects, name: string): CommandOutcome {
  const waits = [...effects.open.values()];
  if (waits.some((effect) => effect.name === name)) return { status: 'sent' };
  const others = waits.length === 0 ? '' : `; the request waits for ${listed(waits)}`;
  return { status: 'queued', message: `nothing waits for signal ${name} yet, so it is kept${others}` };
}

/** What a resume does: nothing for a run that is not paused. A process that failed runs the same code again. */
export function checkResume(
  { isStopped }: Pick<OpenEffects, 'isStopped'>,
  requestId: string,
  waiting: WaitingView | undefined,
): CommandOutcome {
  if (!isStopped) return { status: 'not_paused', message: 'the request is not paused, and its process has not failed' };
  if (waiting?.process === undefined) return { status: 'resuming' };
  const [assign] = waitCommands({ ...waiting, requestId });
  return {
    status: 'resuming',
    message: `the process runs the same code again; another command gives it corrected code: ${assign}`,
  };
}

function notPending({ open, closed }: OpenEffects, id: string): CommandOutcome {
  const reason = closed.has(id) ? `${id} already has a result` : `the request does not wait for ${id}`;
  const waits = [...open.values()];
  return { status: 'not_pending', message: waits.length === 0 ? reason : `${reason}; it waits for ${listed(waits)}` };
}

function decisionRefused(effect: OpenEffect, requestId: string): CommandOutcome {
  const { effectId, kind, name: signal, questionNumber } = effect;
  const { expects, waitReason: reason } = openEffectKind(kind);
  const [command] = waitCommands({ requestId, effectId, reason, signal, questionNumber });
  return {
    status: 'not_pending',
    message: `${effectId} takes no decision: it waits for ${expects(signal)}; end the wait with \`${command}\``,
  };
}

function signalExpected({ effectId, name = '<name>' }: OpenEffect, requestId: string): CommandOutcome {
  const command = `reins requests signal ${requestId} ${name}`;
  return {
    status: 'not_pending',
    message: `${effectId} takes no answer: it waits for signal ${name}; send it with \`${command}\``,
  };
}

function otherQuestion({ effectId, kind, questionNumber }: OpenEffect, given: number): CommandOutcome {
  const open = questionNumber === undefined ? `${kind} ${effectId}` : `question ${questionNumber} of ${effectId}`;
  return { status: 'not_pending', message: `the request does not wait for question ${given}; it waits for ${open}` };
}

function listed(waits: readonly OpenEffect[]): string {
  const more = waits.length > LISTED ? ` and ${waits.length - LISTED} more` : '';
  return `${waits.slice(0, LISTED).map(textOf).join(', ')}${more}`;
}

function textOf({ kind, effectId, name, questionNumber }: OpenEffect): string {
  const { takes, expects } = openEffectKind(kind);
  if (takes === 'signal') return expects(name ?? effectId);
  if (questionNumber !== undefined) return `question ${questionNumber} of ${effectId} (${name})`;
  return `${kind} ${effectId}${name === undefined ? '' : ` (${name})`}`;
}

const notADecision = ({ kind, effectId }: OpenEffect, requestId: string): ReinsError =>
  new ReinsError({
    code: 'answer_invalid',
    message: `the answer to ${kind} ${effectId} is not a decision`,
    path: 'answer',
    hint: `Answer with ${DECISION_FORM}, or use \`reins approvals approve ${requestId} ${effectId}\` or \`deny\`.`,
  });
