import { type ErrorInfo, isObject, type JsonValue, problemsOfEntry, ReinsError } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import type { CoroutineState, DueStep, Turn } from '@reins/replay';
import type { FromChild, TurnMessage } from '../protocol/messages.ts';

/**
 * Validates what a child sends. Authored code may have taken over the child, so a message of another form counts as a crash.
 */

/** @throws ReinsError `process_crashed` */
export function messageOf(json: string): FromChild {
  const message: unknown = parsed(json);
  if (!isObject(message) || typeof message.type !== 'string') throw invalidMessage('a message without a type');
  switch (message.type) {
    case 'loaded':
      if (message.inputSchema !== undefined && !isObject(message.inputSchema))
        throw invalidMessage('a schema that is not an object');
      if (message.wrong !== undefined && !(Array.isArray(message.wrong) && message.wrong.every(isPlace)))
        throw invalidMessage('a problem without a place');
      break;
    case 'turn':
      checkTurn(message.turn);
      break;
    case 'stepped':
      checkStepped(message);
      break;
    case 'failed':
      if (!isError(message.error)) throw invalidMessage('an error without a code');
      break;
    case 'load-value':
      if (!Number.isSafeInteger(message.call) || !isObject(message.ref))
        throw invalidMessage('a call without a reference');
      break;
    case 'file':
      if (!TASK_FILE.test(String(message.path)) || typeof message.content !== 'string')
        throw invalidMessage('a file outside of the tasks');
      break;
    case 'console':
      if (typeof message.text !== 'string') throw invalidMessage('a line that is not text');
  }
  return message as unknown as FromChild;
}

/** The turn as the engine returns it. @param run makes the function that runs a step */
export function turnOf(message: TurnMessage, run: (step: Omit<DueStep, 'run'>) => DueStep['run']): Turn {
  const { drafts, steps, state, divergence } = message;
  const due = steps.map((step): DueStep => ({ ...step, run: run(step) }));
  if (!divergence) return { drafts, steps: due, state };
  return { drafts, steps: due, state, divergence: { ...divergence, error: errorOf(divergence.error) } };
}

export function errorOf(error: ErrorInfo): ReinsError {
  return new ReinsError(error as ConstructorParameters<typeof ReinsError>[0]);
}

function checkTurn(turn: unknown): void {
  if (!isObject(turn) || !Array.isArray(turn.drafts) || !Array.isArray(turn.steps) || !Array.isArray(turn.awaited))
    throw invalidMessage('a turn without drafts, steps or effects');
  if (!STATES.has(turn.state as CoroutineState)) throw invalidMessage('a turn with an unknown state');
  turn.drafts.forEach(checkDraft);
  if (!turn.steps.every(isStep) || !turn.awaited.every((id) => typeof id === 'string'))
    throw invalidMessage('a step without a name');
  if (turn.divergence !== undefined && !(isObject(turn.divergence) && isError(turn.divergence.error)))
    throw invalidMessage('a divergence without an error');
}

/** The entries that a process may decide. Results, records and requests of people come from elsewhere. */
const DECISIONS: ReadonlySet<string> = new Set<EntryDraft['type']>([
  'EFFECT_REQUESTED',
  'EFFECT_CANCELLED',
  'SIGNAL_RECEIVED',
  'PROCESS_LOG',
  'PROCESS_ASSIGNED',
  'PROCESS_RUNTIME_ERROR',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);

const STATES: ReadonlySet<CoroutineState> = new Set<CoroutineState>([
  ...(['waiting', 'completed', 'failed', 'halted', 'cancelled', 'broken', 'diverged'] as const),
]);

function checkDraft(draft: unknown): void {
  if (!isObject(draft) || typeof draft.type !== 'string' || !DECISIONS.has(draft.type))
    throw invalidMessage('an entry that a process cannot decide');
  const [problem] = problemsOfEntry(draft.type, draft.data);
  if (problem) throw invalidMessage(`${draft.type}: ${problem.message}`);
  if (draft.type === 'PROCESS_ASSIGNED' && isObject(draft.data) && 'previous' in draft.data)
    throw invalidMessage('a process assigned by someone else');
}

function checkStepped({ effectId, draft }: Readonly<Record<string, unknown>>): void {
  if (!isObject(draft) || !isObject(draft.data) || draft.data.effectId !== effectId)
    throw invalidMessage('a step without its effect');
  if (draft.type !== 'EFFECT_RESOLVED' && draft.type !== 'EFFECT_ATTEMPT_FAILED')
    throw invalidMessage('a step without a result');
  const [problem] = problemsOfEntry(draft.type, draft.data);
  if (problem) throw invalidMessage(`${draft.type}: ${problem.message}`);
}

function isStep(step: unknown): boolean {
  if (!isObject(step) || typeof step.effectId !== 'string' || typeof step.name !== 'string') return false;
  return [step.attempt, step.notBefore, step.timeoutMs, step.maxAttempts].every((number) => Number.isFinite(number));
}

const isPlace = (place: unknown): boolean =>
  isObject(place) && typeof place.path === 'string' && typeof place.message === 'string';

const isError = (error: unknown): boolean =>
  isObject(error) && typeof error.code === 'string' && typeof error.message === 'string';

function parsed(json: string): JsonValue {
  try {
    return JSON.parse(json) as JsonValue;
  } catch {
    throw invalidMessage('text that is not JSON');
  }
}

function invalidMessage(what: string): ReinsError {
  return new ReinsError({ code: 'process_crashed', message: `the child sent an invalid message: ${what}` });
}

/** The paths of task files in a run directory. */
const TASK_FILE = /^tasks\/[A-Za-z0-9_-]{1,100}\/blobs\/[A-Za-z0-9_-]{1,200}\.(?:json|txt)$/;
