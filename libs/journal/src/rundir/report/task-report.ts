import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { Entry } from '../../entries/entry.ts';
import { type EffectState, pendingEffects } from '../../state/run-state.ts';
import { inputsRefOf } from '../large-inputs.ts';
import { eventsOf, type RunReading } from './run-reading.ts';

/** An effect that somebody outside does, as commands show it. References are run-relative paths. */
export interface TaskReport {
  readonly effectId: string;
  readonly taskId: string;
  readonly stepId: string;
  readonly status: 'requested' | 'resolved_ok' | 'resolved_error' | 'cancelled';
  readonly kind: string;
  readonly label: string;
  readonly labels?: readonly string[];
  readonly taskDefRef: string;
  readonly inputsRef: string | null;
  readonly resultRef: string | null;
  readonly stdoutRef: string | null;
  readonly stderrRef: string | null;
  readonly requestedAt: string;
  readonly resolvedAt?: string;
}

/** What of a run its tasks are told from; of a journal that lies in no directory, there are no files. */
export type TaskReading = Pick<RunReading, 'entries' | 'state' | 'isLegacy' | 'files' | 'metadata'> &
  Partial<Pick<RunReading, 'blobs'>>;

/** Every effect but local steps, by effect id; or of these effects. */
export function tasksOf(
  reading: TaskReading,
  effects: Iterable<EffectState> = reading.state.effects.values(),
): TaskReport[] {
  const ends = endsOf(reading.entries);
  const recorded = recordedBeside(reading);
  return [...effects]
    .filter(({ kind }) => kind !== 'step')
    .map((effect) =>
      taskReport(defined(effect, reading.blobs), ends.get(effect.effectId), recorded.get(effect.effectId)),
    )
    .toSorted((a, b) => (a.effectId < b.effectId ? -1 : 1));
}

/** A definition may be too large for the journal; one that is lost is told by verification, and does not hide the others. */
function defined(effect: EffectState, blobs: TaskReading['blobs']): EffectState {
  const { kind, request, requestRef } = effect;
  const isTold = request.definition !== undefined && request.label !== undefined;
  if (!requestRef || !blobs || kind !== 'task' || isTold) return effect;
  const whole = blobs.readIfWhole(requestRef);
  return isObject(whole) ? { ...effect, request: { ...(whole as JsonObject), ...request } } : effect;
}

/** The kind of work, as those know it who do it: of a task, what its definition says. */
export function workKind({ kind, request }: Pick<EffectState, 'kind' | 'request'>): string {
  return kind === 'task' && typeof request.kind === 'string' ? request.kind : kind;
}

/** How many effects of each kind of work wait. */
export function pendingByKind({ state }: Pick<RunReading, 'state'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const effect of pendingEffects(state)) {
    if (effect.kind === 'step') continue;
    const kind = workKind(effect);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

type Ending = Entry<'EFFECT_RESOLVED' | 'EFFECT_CANCELLED'>;

function endsOf(entries: readonly Entry[]): ReadonlyMap<string, Ending> {
  const ends = new Map<string, Ending>();
  for (const entry of entries)
    if (entry.type === 'EFFECT_RESOLVED' || entry.type === 'EFFECT_CANCELLED') ends.set(entry.data.effectId, entry);
  return ends;
}

/** What a babysitter's own journal says of its effects, both events of each in one. */
function recordedBeside(reading: TaskReading): ReadonlyMap<string, JsonObject> {
  const recorded = new Map<string, JsonObject>();
  if (!reading.isLegacy) return recorded;
  for (const { type, data } of eventsOf(reading)) {
    if (type !== 'EFFECT_REQUESTED' && type !== 'EFFECT_RESOLVED') continue;
    const effectId = String(data.effectId);
    recorded.set(effectId, { ...recorded.get(effectId), ...data });
  }
  return recorded;
}

function taskReport(effect: EffectState, last: Ending | undefined, recorded: JsonObject = {}): TaskReport {
  // one that was invalidated and asked for again has an end of before
  const ending = effect.status === 'resolved' || effect.status === 'cancelled' ? last : undefined;
  const { effectId, request, requestedAt, label } = effect;
  const definition = objectOf(request.definition);
  const facts = { ...definition, ...factsOf(ending), ...recorded };
  const labels = facts.labels ?? ownLabels(effect);
  return {
    effectId,
    taskId: textOf(facts.taskId) ?? textOf(request.taskId) ?? SDK_TASKS[effect.kind] ?? effect.kind,
    stepId: textOf(facts.stepId) ?? stepOf(effect),
    status: statusOf(effect),
    kind: textOf(recorded.kind) ?? workKind(effect),
    label: label ?? textOf(request.label) ?? effect.kind,
    ...(Array.isArray(labels) && { labels: labels as string[] }),
    taskDefRef: textOf(recorded.taskDefRef) ?? `tasks/${effectId}/task.json`,
    inputsRef: textOf(facts.inputsRef) ?? textOf(request.inputsRef) ?? inputsRefOf(effectId, request.args) ?? null,
    resultRef: textOf(recorded.resultRef) ?? (effect.status === 'resolved' ? `tasks/${effectId}/result.json` : null),
    stdoutRef: textOf(facts.stdoutRef) ?? null,
    stderrRef: textOf(facts.stderrRef) ?? null,
    requestedAt,
    ...(ending && { resolvedAt: ending.recordedAt }),
  };
}

/** The fields of the fact that an answer of ours carries: where its output lies, among others. */
function factsOf(ending: Ending | undefined): JsonObject {
  const { stdoutRef, stderrRef } = objectOf(ending?.type === 'EFFECT_RESOLVED' ? ending.data.value : undefined);
  return { ...(stdoutRef !== undefined && { stdoutRef }), ...(stderrRef !== undefined && { stderrRef }) };
}

function statusOf({ status, result }: EffectState): TaskReport['status'] {
  if (status === 'cancelled') return 'cancelled';
  if (!result) return 'requested';
  return result.status === 'ok' ? 'resolved_ok' : 'resolved_error';
}

/** The names under which babysitter knows the work that a process asks for without a definition. */
const SDK_TASKS: Readonly<Record<string, string | undefined>> = {
  breakpoint: '__sdk.breakpoint',
  sleep: '__sdk.sleep',
};

/** The step within the run: of a babysitter's key `<process>:<step>:<task>` its middle, of ours the key without the kind. */
function stepOf({ key, kind }: EffectState): string {
  const parts = key.split(':');
  if (parts.length >= 3) return parts.slice(1, -1).join(':');
  return key.startsWith(`${kind}.`) || key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : key;
}

/** Without a definition there is one label, where it was given. */
function ownLabels({ kind, label, request }: EffectState): readonly string[] | undefined {
  const isSdkTask = SDK_TASKS[kind] !== undefined || request.kind === 'orchestrator_task';
  if (request.definition !== undefined || label === undefined || !isSdkTask) return undefined;
  return [label];
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
