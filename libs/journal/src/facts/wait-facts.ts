import { defined, type JsonObject } from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import { isAuthored } from '../entries/run-request.ts';
import type { EffectState, RunState, WaitReason } from '../state/run-state.ts';
import { type FactDraft, fact } from './fact-draft.ts';

/** Maximum number of characters of a question in the fact. The approval or the stage has the whole question. */
const MAX_MESSAGE = 500;

interface Wait {
  /** The effect that it waits for; the run id when the process itself waits. */
  readonly effectId: string;
  readonly reason: WaitReason;
  readonly expiresAt?: string | undefined;
}

/**
 * The `runtime.request.waiting` fact. Its message says what the run waits for.
 * @param own the text, for waits that are not described by their effect
 */
export function waitingFact(state: RunState, { effectId, reason, expiresAt }: Wait, own?: string): FactDraft {
  const effect = state.effects.get(effectId);
  const message = (own ?? waitMessage(state, effect, reason)).slice(0, MAX_MESSAGE);
  const label = effect && labelOf(effect, reason)?.slice(0, MAX_MESSAGE);
  const questionNumber = effect?.questionNumber;
  const signal = reason === 'signal' && effect ? effectKind(effect.kind).awaitedSignal?.(effect.request) : undefined;
  return fact('runtime.request.waiting', {
    reason,
    effectId,
    ...defined({ expiresAt }),
    ...(message !== '' && { message }),
    ...(reason === 'operator' && processErrorFields(state)),
    ...defined({ signal, label }),
    ...(reason === 'user' && questionNumber !== undefined && { questionNumber }),
  });
}

/** The error that paused the run, or the process error with the id of the process if its code can be corrected. */
function processErrorFields({ paused, processError, process: { id } }: RunState): JsonObject {
  if (paused?.error) return { error: { ...paused.error } };
  if (!processError) return {};
  return { error: { ...processError.error }, ...(isAuthored(id) && { process: id }) };
}

/** What the run waits for, in words; empty if nothing is known about it. */
function waitMessage({ paused, processError }: RunState, effect: EffectState | undefined, reason: WaitReason): string {
  const pauseReason = paused?.reason ?? paused?.error?.message;
  if (reason === 'operator' && pauseReason !== undefined) return pauseReason;
  if (reason === 'operator') return processError ? processErrorText(processError.error) : 'an operator paused the run';
  if (reason === 'process') return 'the run has no process yet';
  const { suspension } = effectKind(effect?.kind ?? '');
  if (!effect || suspension?.reason !== reason) return '';
  const label = labelOf(effect, reason);
  if (label === undefined) return suspension.message(effect.request);
  // The fact names the time in a field of its own.
  return reason === 'timer' ? label : `${suspension.message(effect.request)}: ${label}`;
}

/** The wait reasons whose effects get a label from the process. For others, the message is the label or question. */
const LABELLED: ReadonlySet<string> = new Set(['timer', 'signal', 'child'] satisfies WaitReason[]);

/** The label that the process gave to what the run waits for. The default label of a sleep is ignored. */
function labelOf({ label = '' }: EffectState, reason: WaitReason): string | undefined {
  return LABELLED.has(reason) && label !== '' && !label.startsWith('sleep:') ? label : undefined;
}

/** The message of a process error, with its place in the code of the author. */
export function processErrorText({ message, path }: { readonly message: string; readonly path?: string }): string {
  return path === undefined ? message : `${path}: ${message}`;
}
