import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type EffectState, effectKind, pendingEffects, type RunState } from '@reins/journal';
import type { RunBlobs, TaskReport } from '@reins/run-directory';
import { questionLines, questionText } from '../output/question-lines.ts';

/** An action that must be done outside before the run can continue. */
export interface NextAction {
  readonly effectId: string;
  readonly invocationKey: string;
  readonly kind: string;
  readonly label: string;
  readonly labels?: readonly string[];
  readonly taskDef: JsonValue;
  readonly taskId: string;
  readonly stepId: string;
  readonly taskDefRef: string;
  readonly inputsRef: string | null;
  readonly requestedAt: string;
  readonly schedulerHints: SchedulerHints;
}

interface SchedulerHints {
  readonly pendingCount: number;
  readonly sleepUntilEpochMs?: number;
  /** Identifies the effects that are pending together. It changes whenever one of them resolves. */
  readonly parallelGroupId?: string;
}

/**
 * The pending effects that need outside work, in request order.
 * @throws ReinsError `journal_corrupt` when a request that the journal refers to is lost
 */
export function nextActions(
  state: RunState,
  tasks: readonly TaskReport[],
  blobs: Pick<RunBlobs, 'requestOf'>,
): NextAction[] {
  const pending = pendingEffects(state).filter(({ kind }) => resolvedByOf(kind) !== 'owner');
  const known = new Map(tasks.map((task) => [task.effectId, task]));
  const together = pending.length > 1 ? { parallelGroupId: groupId(pending) } : {};
  return pending.flatMap((effect) => {
    const task = known.get(effect.effectId);
    const whole = { ...effect, request: blobs.requestOf(effect) };
    return task ? [action(whole, task, { ...together, pendingCount: pending.length })] : [];
  });
}

function action(effect: EffectState, task: TaskReport, hints: SchedulerHints): NextAction {
  const { effectId, kind, label, labels, taskId, stepId, taskDefRef, inputsRef, requestedAt } = task;
  const until =
    resolvedByOf(kind) === 'time' ? { sleepUntilEpochMs: Date.parse(String(effect.request.expiresAt)) } : {};
  return {
    effectId,
    invocationKey: effect.key,
    kind,
    label,
    ...(labels && { labels }),
    taskDef: definitionOf(effect, kind),
    taskId,
    stepId,
    taskDefRef,
    inputsRef,
    requestedAt,
    schedulerHints: { ...until, ...hints },
  };
}

/** The definition of a task, or the request of an effect without a definition. */
function definitionOf({ request }: EffectState, kind: string): JsonObject {
  const { definition } = request;
  return typeof definition === 'object' && definition !== null ? (definition as JsonObject) : { kind, ...request };
}

const resolvedByOf = (kind: string) => effectKind(kind).resolvedBy;

const groupId = (effects: readonly EffectState[]): string =>
  createHash('sha1')
    .update(effects.map(({ key }) => `${key}|`).join(''))
    .digest('hex')
    .slice(0, 16);

/** What a person must know to end the wait for an effect: its name or its question, and the data of the question. */
export function actionLines({ effectId, kind, label, taskDef }: ActionText, run: string): string[] {
  const { name, subject } = isObject(taskDef) ? taskDef : {};
  if (resolvedByOf(kind) === 'signal' && name !== undefined) return [`${effectId} signal ${String(name)}`];
  const detail = isObject(subject) ? subject.detail : undefined;
  const question = isObject(detail) ? (detail.payload as JsonValue | undefined) : undefined;
  if (question === undefined || question === null) return [`${effectId} ${kind} ${label}`];
  const data = questionLines(question, `reins run:iterate ${run} --json`);
  return [`${effectId} ${kind} ${label}: ${questionText(question)}`, ...data.map((line) => `    ${line}`)];
}

type ActionText = Pick<NextAction, 'effectId' | 'kind' | 'label' | 'taskDef'>;

/**
 * How a person ends the wait for an effect of a run directory, as lines.
 * @param run the run as the command line named it, with its options
 */
export function postingLines(
  { effectId, kind, taskDef }: Pick<NextAction, 'effectId' | 'kind' | 'taskDef'>,
  run: string,
) {
  const post = (value: string): string => `reins task:post ${run} ${effectId} --status ok --value-inline '${value}'`;
  const { process, inputs } = isObject(taskDef) ? taskDef : {};
  switch (resolvedByOf(kind)) {
    case 'time':
      return [`reins run:iterate ${run}    # after the sleep`];
    case 'decision':
      return [post('{"approved": true}'), post('{"approved": false, "feedback": "<why>"}')];
    case 'child':
      return [
        `create and drive a run of ${String(process)} with the inputs ${JSON.stringify(inputs ?? null)}, then post its output:`,
        post('<output as JSON>'),
      ];
    case 'signal':
      return [post('<payload as JSON>')];
    default:
      return [post('<result as JSON>')];
  }
}

/** The reason code of a wait: the kind of the pending effects. */
export function waitingReason(actions: readonly Pick<NextAction, 'kind'>[]): string {
  const kinds = [...new Set(actions.map(({ kind }) => kind))].toSorted();
  const [only] = kinds;
  if (kinds.length > 1) return `mixed-pending:${kinds.join(',')}`;
  if (only === undefined) return 'waiting';
  return only === 'breakpoint' || only === 'sleep' ? `${only}-waiting` : `${only}-pending`;
}
