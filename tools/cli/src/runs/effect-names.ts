import { isObject, type JsonObject, type JsonValue, nearest } from '@reins/contracts';
import { effectKind } from '@reins/journal';
import { wholeNumber, wrongUsage } from '../arguments.ts';
import { childRunsText } from '../output/child-runs.ts';

/** The fields of a journal entry that name effects. */
export interface NamingEntry {
  readonly seq: number;
  readonly type: string;
  readonly data: unknown;
}

/** An effect of a run, with the words by which people know it. */
interface NamedEffect {
  readonly effectId: string;
  readonly kind: string;
  /** The number of the entry that requested it first. */
  readonly seq: number;
  /** Stage, task, label or signal. */
  readonly names: readonly string[];
  /** 1 for the first effect of this kind and name. */
  readonly iteration: number;
}

/** What each effect is, such as `stage execute, iteration 2` or `agent Build it`. */
export function effectNames(entries: readonly NamingEntry[]): ReadonlyMap<string, string> {
  return new Map(
    namedEffects(entries).map(({ effectId, kind, names: [name], iteration }) => [
      effectId,
      [kind, ...(name === undefined || name === kind ? [] : [name])].join(' ') +
        (iteration > 1 ? `, iteration ${iteration}` : ''),
    ]),
  );
}

/**
 * The number of entries before a place in a run.
 * @param at a number of entries, an effect id, or the name of a stage or task; `<name>:<n>` is its nth iteration, and
 *   without a number the last one
 * @throws ReinsError `wrong_usage`
 */
export function entriesBefore(entries: readonly NamingEntry[], at: string, option: string): number {
  if (/^-?\d+(\.\d+)?$/.test(at)) return wholeNumber(at, option);
  const effects = namedEffects(entries);
  const [, name = at, iteration] = /^(.+):(\d+)$/.exec(at) ?? [];
  const isWanted = ({ names, iteration: own }: NamedEffect): boolean =>
    names.includes(name) && (iteration === undefined || own === Number(iteration));
  const last = effects.findLast(isWanted);
  // A stage is prepared first: both effects have its name and the same iteration.
  const found =
    effects.find(({ effectId }) => effectId === at) ??
    (last && effects.find((one) => isWanted(one) && one.iteration === last.iteration));
  if (found) return found.seq - 1;
  const children = stageChildren(entries, name);
  const child = iteration === undefined ? children.at(-1) : children[Number(iteration) - 1];
  if (child)
    throw wrongUsage(
      `${option} ${at}: stage ${name} belongs to ${childRunsText(children.map(({ runId }) => runId))}`,
      `Pass ${option} ${child.effectId}, the effect that starts ${child.runId}.`,
    );
  const known = [...new Set(effects.flatMap(({ names }) => names))];
  const similar = nearest(name, known);
  throw wrongUsage(
    `${option} ${at} is not a number, an effect or a stage of the run`,
    similar === undefined || similar === name
      ? 'List the entries and effects with `reins run:events`.'
      : `Did you mean ${similar}?`,
  );
}

function namedEffects(entries: readonly NamingEntry[]): NamedEffect[] {
  const found = new Map<string, NamedEffect>();
  const count = new Map<string, number>();
  for (const { seq, type, data } of entries) {
    if (type !== 'EFFECT_REQUESTED' || !isObject(data)) continue;
    const { effectId } = data as { readonly effectId: string };
    if (found.has(effectId)) continue;
    const kind = kindOf(data);
    const names = namesOf(data);
    const key = `${kind} ${names[0]}`;
    const iteration = (count.get(key) ?? 0) + 1;
    count.set(key, iteration);
    found.set(effectId, { effectId, kind, seq, names, iteration });
  }
  return [...found.values()];
}

/** The effects that start a child run for this one stage, in order. */
function stageChildren(
  entries: readonly NamingEntry[],
  stage: string,
): readonly { readonly effectId: string; readonly runId: string }[] {
  const found = new Map<string, string>();
  for (const { type, data } of entries) {
    if (type !== 'EFFECT_REQUESTED' || !isObject(data) || !isChild(data) || !isObject(data.request)) continue;
    const { process, inputs, childRequestId } = data.request;
    if (process !== 'stage' || !isObject(inputs) || inputs.stage !== stage || found.has(String(data.effectId)))
      continue;
    found.set(String(data.effectId), String(childRequestId));
  }
  return [...found].map(([effectId, runId]) => ({ effectId, runId }));
}

const isChild = ({ kind }: JsonObject): boolean => effectKind(String(kind)).resolvedBy === 'child';

/** The kind of work that a task names, otherwise the kind of the effect. */
function kindOf({ kind, request }: JsonObject): string {
  const work = effectKind(String(kind)).hasDefinition && isObject(request) ? request.kind : kind;
  return typeof work === 'string' ? work : String(kind);
}

/** The most specific name first. */
function namesOf({ label, taskId, request }: JsonObject): string[] {
  const { stage, taskId: requested, name, toolId, process, hookType, definition } = isObject(request) ? request : {};
  const title = isObject(definition) ? definition.title : undefined;
  return [stage, label, title, taskId, requested, name, toolId, process, hookType].filter(isName);
}

const isName = (value: JsonValue | undefined): value is string => typeof value === 'string' && value !== '';
