import { type ErrorInfo, isObject, type JsonValue, problemsOfEntry, ReinsError } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import type { CoroutineState, DueStep, Turn } from '@reins/replay';
import type { FromChild, TurnMessage } from '../protocol/messages.ts';

/**
 * What a child says may come from anybody: the code of a process could have taken over everything in there. What does not have the
 * form that it must have is as if the child had crashed.
 */

/** @throws ReinsError `process_crashed` */
export function messageOf(json: string): FromChild {
  const message: unknown = parsed(json);
  if (!isObject(message) || typeof message.type !== 'string') throw nonsense('a message without a type');
  switch (message.type) {
    case 'loaded':
      if (message.inputSchema !== undefined && !isObject(message.inputSchema))
        throw nonsense('a schema that is no object');
      if (message.wrong !== undefined && !(Array.isArray(message.wrong) && message.wrong.every(isPlace)))
        throw nonsense('a problem without a place');
      break;
    case 'turn':
      checkTurn(message.turn);
      break;
    case 'stepped':
      checkStepped(message);
      break;
    case 'failed':
      if (!isError(message.error)) throw nonsense('an error without a code');
      break;
    case 'load-value':
      if (!Number.isSafeInteger(message.call) || !isObject(message.ref)) throw nonsense('a call without a reference');
      break;
    case 'file':
      if (!TASK_FILE.test(String(message.path)) || typeof message.content !== 'string')
        throw nonsense('a file that belongs to no task');
      break;
    case 'console':
      if (typeof message.text !== 'string') throw nonsense('a line that is no text');
  }
  return message as unknown as FromChild;
}

/** The turn that was told, in the form in which an engine of ours returns it. */
export function turnOf(told: TurnMessage, run: (step: Omit<DueStep, 'run'>) => DueStep['run']): Turn {
  const { drafts, steps, state, divergence } = told;
  const due = steps.map((step): DueStep => ({ ...step, run: run(step) }));
  if (!divergence) return { drafts, steps: due, state };
  return { drafts, steps: due, state, divergence: { ...divergence, error: errorOf(divergence.error) } };
}

export function errorOf(error: ErrorInfo): ReinsError {
  return new ReinsError(error as ConstructorParameters<typeof ReinsError>[0]);
}

function checkTurn(turn: unknown): void {
  if (!isObject(turn) || !Array.isArray(turn.drafts) || !Array.isArray(turn.steps) || !Array.isArray(turn.awaited))
    throw nonsense('a turn without drafts, steps or effects');
  if (!STATES.has(turn.state as CoroutineState)) throw nonsense('a turn in a state that there is not');
  turn.drafts.forEach(checkDraft);
  if (!turn.steps.every(isStep) || !turn.awaited.every((id) => typeof id === 'string'))
    throw nonsense('a step without a name');
  if (turn.divergence !== undefined && !(isObject(turn.divergence) && isError(turn.divergence.error)))
    throw nonsense('a divergence without an error');
}

/** A process decides this, and nothing else: what was answered, recorded or asked for by people is not its to say. */
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
    throw nonsense('an entry that no process decides');
  const [problem] = problemsOfEntry(draft.type, draft.data);
  if (problem) throw nonsense(`${draft.type}: ${problem.message}`);
  if (draft.type === 'PROCESS_ASSIGNED' && isObject(draft.data) && 'previous' in draft.data)
    throw nonsense('that somebody gave the run its process');
}

function checkStepped({ effectId, draft }: Readonly<Record<string, unknown>>): void {
  if (!isObject(draft) || !isObject(draft.data) || draft.data.effectId !== effectId)
    throw nonsense('a step without its effect');
  if (draft.type !== 'EFFECT_RESOLVED' && draft.type !== 'EFFECT_ATTEMPT_FAILED')
    throw nonsense('a step without a result');
  const [problem] = problemsOfEntry(draft.type, draft.data);
  if (problem) throw nonsense(`${draft.type}: ${problem.message}`);
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
    throw nonsense('something that is not JSON');
  }
}

function nonsense(what: string): ReinsError {
  return new ReinsError({ code: 'process_crashed', message: `the sandbox said what it cannot say: ${what}` });
}

/** Where the files of tasks lie in a run directory, and nothing else. */
const TASK_FILE = /^tasks\/[A-Za-z0-9_-]{1,100}\/blobs\/[A-Za-z0-9_-]{1,200}\.(?:json|txt)$/;
