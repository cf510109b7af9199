import { type JsonValue, ReinsError } from '@reins/contracts';
import { DECISION_FORM, givenDecision } from '@reins/journal';
import type { OpenEffect, OpenEffects } from './open-effects.ts';

/** What the event log shows of the target of a command. */
export interface CommandOutcome {
  readonly status: string;
  readonly message?: string;
}

const LISTED = 3;

/**
 * Checks an answer against the effect that it is for.
 * @returns the status of the call: `not_pending` if the run does not wait for this effect
 * @throws ReinsError `answer_invalid` if the answer to a breakpoint is not a decision
 */
export function checkAnswer(
  effects: OpenEffects,
  id: string,
  answer: JsonValue | undefined,
  status: string,
): CommandOutcome {
  const effect = effects.find(id);
  if (!effect || effect.kind === 'signal') return notPending(effects, id);
  if ((effect.kind === 'breakpoint' || effect.kind === 'approval') && !givenDecision(answer))
    throw notADecision(effect);
  return { status };
}

/** Whether the run waits for the approval. */
export function checkDecision(effects: OpenEffects, approvalId: string, status: string): CommandOutcome {
  return effects.find(approvalId)?.approvalId === undefined ? notPending(effects, approvalId) : { status };
}

/** `sent` if the run waits for the signal; `queued` if it is kept until its process does. */
export function checkSignal(effects: OpenEffects, name: string): CommandOutcome {
  const waits = [...effects.open.values()];
  if (waits.some((effect) => effect.name === name)) return { status: 'sent' };
  const others = waits.length === 0 ? '' : `; the request waits for ${listed(waits)}`;
  return { status: 'queued', message: `nothing waits for signal ${name} yet, so it is kept${others}` };
}

function notPending({ open, closed }: OpenEffects, id: string): CommandOutcome {
  const reason = closed.has(id) ? `${id} already has a result` : `the request does not wait for ${id}`;
  const waits = [...open.values()];
  return { status: 'not_pending', message: waits.length === 0 ? reason : `${reason}; it waits for ${listed(waits)}` };
}

function listed(waits: readonly OpenEffect[]): string {
  const more = waits.length > LISTED ? ` and ${waits.length - LISTED} more` : '';
  return `${waits.slice(0, LISTED).map(textOf).join(', ')}${more}`;
}

function textOf({ kind, effectId, name }: OpenEffect): string {
  if (kind === 'signal') return `signal ${name ?? effectId}`;
  return `${kind} ${effectId}${name === undefined ? '' : ` (${name})`}`;
}

const notADecision = ({ kind, effectId }: OpenEffect): ReinsError =>
  new ReinsError({
    code: 'answer_invalid',
    message: `the answer to ${kind} ${effectId} is not a decision`,
    path: 'answer',
    hint: `Answer with ${DECISION_FORM}.`,
  });
