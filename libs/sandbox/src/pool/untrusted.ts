import { hash } from 'node:crypto';
import { type ErrorInfo, isObject, type JsonValue, problemsOfEntry, ReinsError } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import type { CoroutineState, DueStep, Turn } from '@reins/replay';
import type { FromChild, TurnMessage } from '../protocol/messages.ts';

/**
 * Validates messages of a child. Authored code may have taken over the child, so an invalid message counts as a crash.
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
      if (typeof message.content !== 'string' || !isTaskFile(String(message.path), message.content))
        throw invalidMessage('a file that no task has');
      break;
    case 'console':
      if (typeof message.text !== 'string') throw invalidMessage('a line that is not text');
  }
  return message as unknown as FromChild;
}

/** Converts the message to a turn of the engine. @param run creates the function that runs a step */
export function turnOf(message: TurnMessage, run: (step: Omit<DueStep, 'run'>) => DueStep['run']): Turn {
  const { steps, state, divergence } = message;
  const drafts = message.drafts.map(({ type, data }) => ({ type, data }) as EntryDraft);
  const due = steps.map((step): DueStep => ({ ...step, run: run(step) }));
  if (!divergence) return { drafts, steps: due, state };
  return { drafts, steps: due, state, divergence: { ...divergence, error: errorOf(divergence.error) } };
}

/** @throws ReinsError `process_crashed` for the result of another attempt */
export function checkedResult(
  { attempt, maxAttempts }: Omit<DueStep, 'run'>,
  draft: Awaited<ReturnType<DueStep['run']>>,
): typeof draft {
  const { attempt: of, nextAttempt = of + 1 } = draft.data as { attempt: number; nextAttempt?: number };
  const isLast = draft.type === 'EFFECT_RESOLVED';
  if (of === attempt && nextAttempt === attempt + 1 && (isLast || nextAttempt <= maxAttempts)) return draft;
  throw invalidMessage('the result of another attempt');
}

export function errorOf(error: ErrorInfo): ReinsError {
  return new ReinsError(error as ConstructorParameters<typeof ReinsError>[0]);
}

/** Whether this error code describes the process. All errors that occur while a module is loaded do. */
export const isOfProcess = (code: string): boolean => /^(process|replay)_|^request_invalid$/.test(code);

/** Whether a turn may fail with this code. A turn also reads the journal. */
export const isOfTurn = (code: string): boolean =>
  isOfProcess(code) || /^effect_|^signals_full$|^journal_(corrupt|newer)$/.test(code);

/**
 * Whether a code says something of the services and of the host. Authored code can construct errors of Reins from those
 * that it catches, with any code.
 */
export const isOfHost = (code: string): boolean =>
  /^(?:sandbox|bus|partition|embedded|service|delivery|dead_letter)_/.test(code) ||
  /^(?:journal_fenced|run_locked|run_exists|run_unknown|storage_failed|internal_error|unauthorized)$/.test(code);

function checkTurn(turn: unknown): void {
  if (!isObject(turn) || !Array.isArray(turn.drafts) || !Array.isArray(turn.steps) || !Array.isArray(turn.awaited))
    throw invalidMessage('a turn without drafts, steps or effects');
  if (!STATES.has(turn.state as CoroutineState)) throw invalidMessage('a turn with an unknown state');
  turn.drafts.forEach(checkDraft);
  if (turn.drafts.filter(({ type }) => /^RUN_/.test(type)).length > 1)
    throw invalidMessage('a turn with two ends of its run');
  if (!turn.steps.every(isStep) || !turn.awaited.every((id) => typeof id === 'string'))
    throw invalidMessage('a step without a name');
  if (turn.divergence !== undefined && !(isObject(turn.divergence) && isDivergence(turn.divergence.error)))
    throw invalidMessage('a divergence without its error');
}

/**
 * The entries that a process may decide, and the fields that it sets. Other entries come from the owner or from people,
 * and references come from the owner.
 */
const DECISIONS: Readonly<Partial<Record<EntryDraft['type'], readonly string[]>>> = {
  EFFECT_REQUESTED: ['argsHash', 'attempt', 'effectId', 'key', 'kind', 'label', 'limits', 'request'],
  EFFECT_CANCELLED: ['attempt', 'confirmed', 'effectId', 'reason'],
  PROCESS_LOG: ['label', 'message'],
  PROCESS_ASSIGNED: ['inputs', 'process'],
  PROCESS_RUNTIME_ERROR: ['actual', 'effectId', 'error', 'expected', 'expiresAt'],
  RUN_COMPLETED: ['output'],
  RUN_FAILED: ['error'],
  RUN_HALTED: ['payload', 'reason'],
};

/** The results of a step. */
const RESULTS: typeof DECISIONS = {
  EFFECT_RESOLVED: ['attempt', 'effectId', 'error', 'retryable', 'status', 'value'],
  EFFECT_ATTEMPT_FAILED: ['attempt', 'effectId', 'error', 'nextAttempt', 'outcome', 'retryable'],
};

const STATES: ReadonlySet<CoroutineState> = new Set<CoroutineState>([
  ...(['waiting', 'completed', 'failed', 'halted', 'cancelled', 'broken', 'diverged'] as const),
]);

function checkDraft(draft: unknown): void {
  checkEntry(draft, DECISIONS, 'an entry that a process must not record');
}

function checkEntry(draft: unknown, known: typeof DECISIONS, otherwise: string): void {
  if (!isObject(draft) || typeof draft.type !== 'string' || !Object.hasOwn(known, draft.type))
    throw invalidMessage(otherwise);
  const [problem] = problemsOfEntry(draft.type, draft.data);
  if (problem) throw invalidMessage(`${draft.type}: ${problem.message}`);
  const fields = known[draft.type as EntryDraft['type']] ?? [];
  const foreign = Object.keys(draft.data as object).find((name) => !fields.includes(name));
  if (foreign !== undefined) throw invalidMessage(`${draft.type}: a process does not set ${foreign}`);
}

function checkStepped({ effectId, draft }: Readonly<Record<string, unknown>>): void {
  if (!isObject(draft) || !isObject(draft.data) || draft.data.effectId !== effectId)
    throw invalidMessage('a step without its effect');
  checkEntry(draft, RESULTS, 'a step without a result');
  const { error } = draft.data as { readonly error?: ErrorInfo };
  if (error && isOfHost(error.code)) throw invalidMessage(`a step with ${error.code}, which is reserved for its host`);
}

function isStep(step: unknown): boolean {
  if (!isObject(step) || typeof step.effectId !== 'string' || typeof step.name !== 'string') return false;
  return [step.attempt, step.notBefore, step.timeoutMs, step.maxAttempts].every((number) => Number.isFinite(number));
}

const isPlace = (place: unknown): boolean =>
  isObject(place) && typeof place.path === 'string' && typeof place.message === 'string';

const isDivergence = (error: unknown): boolean =>
  isObject(error) && isError(error) && error.code === 'replay_nondeterminism';

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

/**
 * Whether a file is named after its content and is in the folder of an effect, so that it cannot replace another one.
 */
function isTaskFile(path: string, content: string): boolean {
  const [, digest] = TASK_FILE.exec(path) ?? [];
  return digest !== undefined && digest === hash('sha256', content);
}

/** The paths of task files in a run directory. */
const TASK_FILE = /^tasks\/[A-Za-z0-9_-]{1,100}\/blobs\/[A-Za-z0-9_-]{1,200}-([0-9a-f]{64})\.(?:json|txt)$/;

/** The effect that a file belongs to. */
export const effectOfFile = (path: string): string => path.split('/')[1] ?? '';
