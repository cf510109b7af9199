import { canonicalJson, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { RunState, WaitReason } from '../state/run-state.ts';
import { type FactDraft, fact } from './fact-draft.ts';

/** The most characters of a question that the fact repeats. The approval or the stage has the whole question. */
const MAX_MESSAGE = 500;

interface Wait {
  /** The effect that it waits for; the run id when the process itself waits. */
  readonly effectId: string;
  readonly reason: WaitReason;
  readonly expiresAt?: string | undefined;
}

/**
 * The fact that the run waits, with what it waits for in words.
 * @param own the text, for waits that are not described by their effect
 */
export function waitingFact(state: RunState, { effectId, reason, expiresAt }: Wait, own?: string): FactDraft {
  const { request = {}, questionNumber } = state.effects.get(effectId) ?? {};
  const message = (own ?? waitMessage(state, effectId, reason)).slice(0, MAX_MESSAGE);
  return fact('runtime.request.waiting', {
    reason,
    effectId,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(message !== '' && { message }),
    ...(reason === 'operator' && state.processError && { error: { ...state.processError.error } }),
    ...(reason === 'signal' && typeof request.name === 'string' && { signal: request.name }),
    ...(reason === 'user' && questionNumber !== undefined && { questionNumber }),
  });
}

/** What the run waits for, in words; empty if nothing is known about it. */
function waitMessage(state: RunState, effectId: string, reason: WaitReason): string {
  const request = state.effects.get(effectId)?.request ?? {};
  switch (reason) {
    case 'breakpoint':
    case 'approval':
      return subjectText(request.subject);
    case 'signal':
      return `signal ${String(request.name)}`;
    case 'timer':
      return typeof request.expiresAt === 'string' ? `the time ${request.expiresAt}` : '';
    case 'child':
      return `child run ${String(request.childRequestId)}`;
    case 'operator':
      return state.processError ? processErrorText(state.processError.error) : 'an operator paused the run';
    case 'process':
      return 'the run has no process yet';
    default:
      return '';
  }
}

/** The message of a process error, with its place in the code of the author. */
export function processErrorText({ message, path }: { readonly message: string; readonly path?: string }): string {
  return path === undefined ? message : `${path}: ${message}`;
}

/** The question of a breakpoint, or what needs the approval. */
function subjectText(subject: JsonValue | undefined): string {
  if (!isObject(subject)) return '';
  const { detail, label, toolId } = subject as JsonObject;
  const asked = isObject(detail) && detail.payload !== undefined ? questionText(detail.payload as JsonValue) : '';
  return asked || [label, toolId].find((text) => typeof text === 'string') || '';
}

/** The text of a question, which may be any JSON. */
export function questionText(question: JsonValue): string {
  const text = isObject(question) ? (question.question ?? question.text ?? question.title) : question;
  if (typeof text === 'string') return text;
  return isObject(question) && Object.keys(question).length === 0 ? '' : canonicalJson(question);
}
