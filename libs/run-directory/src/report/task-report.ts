import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { type EffectState, type Entry, effectKind, pendingEffects } from '@reins/journal';
import { inputsRefOf } from '../values/large-inputs.ts';
import { eventsOf, type LoadedRun } from './loaded-run.ts';

/** An effect that is done outside of the run, as commands show it. References are run-relative paths. */
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

/** The parts of a run from which its tasks are reported. A journal outside of a directory has no files. */
export type LoadedTasks = Pick<LoadedRun, 'entries' | 'state' | 'isLegacy' | 'files' | 'metadata'> &
  Partial<Pick<LoadedRun, 'blobs'>>;

/** Reports every effect except local steps, by effect id; or only the given effects. */
export function tasksOf(
  loaded: LoadedTasks,
  effects: Iterable<EffectState> = loaded.state.effects.values(),
): TaskReport[] {
  const ends = endsOf(loaded.entries);
  const recorded = legacyEventData(loaded);
  return [...effects]
    .filter(({ kind }) => !isLocal(kind))
    .map((effect) =>
      taskReport(defined(effect, loaded.blobs), ends.get(effect.effectId), recorded.get(effect.effectId)),
    )
    .toSorted((a, b) => (a.effectId < b.effectId ? -1 : 1));
}

/**
 * Loads a definition that is too large for the journal. A lost one is reported by verification and must not hide the
 * other tasks.
 */
function defined(effect: EffectState, blobs: LoadedTasks['blobs']): EffectState {
  const { kind, request, requestRef } = effect;
  const isComplete = request.definition !== undefined && request.label !== undefined;
  if (!requestRef || !blobs || !effectKind(kind).hasDefinition || isComplete) return effect;
  const whole = blobs.readIfWhole(requestRef);
  return isObject(whole) ? { ...effect, request: { ...(whole as JsonObject), ...request } } : effect;
}

/** The kind of work that workers know: for a task, the kind in its definition. */
export function workKind({ kind, request }: Pick<EffectState, 'kind' | 'request'>): string {
  return effectKind(kind).hasDefinition && typeof request.kind === 'string' ? request.kind : kind;
}

/** The owner of the run does it itself. */
const isLocal = (kind: string): boolean => effectKind(kind).resolvedBy === 'owner';

/** How many effects of each kind of work are pending. */
export function pendingByKind({ state }: Pick<LoadedRun, 'state'>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const effect of pendingEffects(state)) {
    if (isLocal(effect.kind)) continue;
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

/** The original data of effects in a babysitter journal, with request and result merged. */
function legacyEventData(loaded: LoadedTasks): ReadonlyMap<string, JsonObject> {
  const recorded = new Map<string, JsonObject>();
  if (!loaded.isLegacy) return recorded;
  for (const { type, data } of eventsOf(loaded)) {
    if (type !== 'EFFECT_REQUESTED' && type !== 'EFFECT_RESOLVED') continue;
    const effectId = String(data.effectId);
    recorded.set(effectId, { ...recorded.get(effectId), ...data });
  }
  return recorded;
}

function taskReport(effect: EffectState, last: Ending | undefined, recorded: JsonObject = {}): TaskReport {
  // an effect that was invalidated and requested again still has its earlier result entry
  const ending = effect.status === 'resolved' || effect.status === 'cancelled' ? last : undefined;
  const { effectId, request, requestedAt, label } = effect;
  const definition = objectOf(request.definition);
  const facts = { ...definition, ...factsOf(ending), ...recorded };
  const labels = facts.labels ?? ownLabels(effect);
  return {
    effectId,
    taskId: textOf(facts.taskId) ?? textOf(request.taskId) ?? sdkTask(effect.kind) ?? effect.kind,
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

/** Fields of the result's value, such as where its output is stored. */
function factsOf(ending: Ending | undefined): JsonObject {
  const { stdoutRef, stderrRef } = objectOf(ending?.type === 'EFFECT_RESOLVED' ? ending.data.value : undefined);
  return { ...(stdoutRef !== undefined && { stdoutRef }), ...(stderrRef !== undefined && { stderrRef }) };
}

function statusOf({ status, result }: EffectState): TaskReport['status'] {
  if (status === 'cancelled') return 'cancelled';
  if (!result) return 'requested';
  return result.status === 'ok' ? 'resolved_ok' : 'resolved_error';
}

/** Babysitter's task id for work without a task definition. */
const sdkTask = (kind: string): string | undefined => effectKind(kind).foreign?.taskId;

/** The step id: the middle of a babysitter key `<process>:<step>:<task>`, or the key without its kind. */
function stepOf({ key, kind }: EffectState): string {
  const parts = key.split(':');
  if (parts.length >= 3) return parts.slice(1, -1).join(':');
  return key.startsWith(`${kind}.`) || key.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : key;
}

/** The only label of a task without a definition. */
function ownLabels({ kind, label, request }: EffectState): readonly string[] | undefined {
  const isSdkTask = sdkTask(kind) !== undefined || request.kind === 'orchestrator_task';
  if (request.definition !== undefined || label === undefined || !isSdkTask) return undefined;
  return [label];
}

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
