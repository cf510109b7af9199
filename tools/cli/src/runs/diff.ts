import { canonicalJson, type JsonValue } from '@reins/contracts';
import { type EffectState, effectKind, hashJson, UNVERIFIED_ARGS } from '@reins/journal';
import { type CostReport, costOf, type LoadedTasks, type TaskReport, tasksOf } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { openRunBackend } from './open-run-backend.ts';
import type { DiffSide } from './run-backend.ts';

type Change = 'added' | 'removed' | 'changed';

interface EffectDifference {
  readonly change: Change;
  readonly taskId: string;
  readonly stepId: string;
  readonly kind: string;
  readonly label: string;
  /** What differs in an effect that both runs have. */
  readonly differs?: readonly ('arguments' | 'status' | 'result')[];
  readonly effectIds: { readonly a: string | null; readonly b: string | null };
}

/** `reins diff <a> <b>` of two run directories or requests: how the second differs from the first. */
export async function diffRuns(context: CliContext, first: string, second: string): Promise<ExitCode> {
  const sideOf = async (argument: string) => (await openRunBackend(context, argument, {})).diffSide();
  const [a, b] = [await sideOf(first), await sideOf(second)];
  const answer = {
    a: summary(a),
    b: summary(b),
    effects: effectDifferences(a.loaded, b.loaded),
    output: differing(outputOf(a.loaded), outputOf(b.loaded)),
    files: fileDifferences(a.files, b.files),
    cost: { a: costOf(a.loaded.entries), b: costOf(b.loaded.entries) },
  };
  if (context.json) printJson(context, answer);
  else print(context, answer);
  return EXIT.ok;
}

const summary = ({ run, status, loaded: { state, entries } }: DiffSide) => ({
  runId: run.runId,
  status,
  entries: entries.length,
  effects: state.effects.size,
});

/** Identifies the call that requested an effect. It is the same in all runs of a process; effect ids are not. */
const callKeyOf = ({ taskId, stepId }: TaskReport): string => `${taskId}\n${stepId}`;

function effectDifferences(a: LoadedTasks, b: LoadedTasks): EffectDifference[] {
  const [before, after] = [tasksByCall(a), tasksByCall(b)];
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].flatMap((key) => {
    const [mine, other] = [before.get(key), after.get(key)];
    const differs = mine && other ? differencesOf(callOf(a, mine), callOf(b, other)) : undefined;
    const task = other ?? mine;
    if (!task || differs?.length === 0) return [];
    const { taskId, stepId, kind, label } = task;
    const effectIds = { a: mine?.effectId ?? null, b: other?.effectId ?? null };
    const change: Change = differs ? 'changed' : mine ? 'removed' : 'added';
    return [{ change, taskId, stepId, kind, label, ...(differs && { differs }), effectIds }];
  });
}

/** The tasks by call key, in the order of their requests. */
function tasksByCall(side: LoadedTasks): ReadonlyMap<string, TaskReport> {
  const byId = new Map(tasksOf(side).map((task) => [task.effectId, task]));
  const inOrder = [...side.state.effects.keys()].flatMap((effectId) => byId.get(effectId) ?? []);
  return new Map(inOrder.map((task) => [callKeyOf(task), task]));
}

/** An effect, and the store of values that are too large for the journal. */
interface Call {
  readonly effect: EffectState;
  readonly blobs: LoadedTasks['blobs'];
}

const callOf = ({ state, blobs }: LoadedTasks, { effectId }: TaskReport): Call => ({
  effect: state.effects.get(effectId) as EffectState,
  blobs,
});

function differencesOf(a: Call, b: Call): NonNullable<EffectDifference['differs']>[number][] {
  const isDifferent = (x: JsonValue | undefined, y: JsonValue | undefined) => hashJson(x) !== hashJson(y);
  return [
    ...(!isSameRequest(a, b) && isDifferent(argumentsOf(a), argumentsOf(b)) ? (['arguments'] as const) : []),
    ...(a.effect.status === b.effect.status ? [] : (['status'] as const)),
    ...(isDifferent(resultOf(a), resultOf(b)) ? (['result'] as const) : []),
  ];
}

/** Compares the hashes, so that no value has to be loaded. */
const isSameRequest = ({ effect: { argsHash } }: Call, other: Call): boolean =>
  argsHash === other.effect.argsHash && argsHash !== UNVERIFIED_ARGS;

/** The arguments of a task. For other effects the request, without ids and times that differ in every run. */
function argumentsOf({ effect, blobs }: Call): JsonValue | undefined {
  const request = blobs?.requestOf(effect) ?? effect.request;
  if (effectKind(effect.kind).hasDefinition) return request.args;
  const { approvalId: _, childRequestId: __, expiresAt: ___, ...rest } = request;
  return rest;
}

function resultOf({ effect: { result }, blobs }: Call): JsonValue | undefined {
  if (!result) return undefined;
  if (result.valueRef && !blobs) return result.valueRef.sha256;
  if (result.status === 'error') return { error: result.error.message };
  const value = (result.valueRef && blobs?.read(result.valueRef)) ?? result.value;
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
}

const outputOf = ({ state, blobs }: LoadedTasks): JsonValue =>
  blobs?.outputOf(state) ?? (state.end?.status === 'completed' ? state.end.output : null);

function differing(a: JsonValue, b: JsonValue) {
  return canonicalJson(a) === canonicalJson(b) ? { same: true } : { same: false, a, b };
}

function fileDifferences(before: DiffSide['files'], after: DiffSide['files']) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [mine, other] = [before.get(path), after.get(path)];
    if (mine === other) return [];
    const change: Change = mine === undefined ? 'added' : other === undefined ? 'removed' : 'changed';
    return [{ path, change }];
  });
}

interface Differences {
  readonly effects: readonly EffectDifference[];
  readonly output: { readonly same: boolean };
  readonly files: readonly { readonly path: string; readonly change: Change }[];
  readonly cost: { readonly a: CostReport; readonly b: CostReport };
}

function print(context: CliContext, { effects, output, files, cost }: Differences): void {
  for (const { change, kind, label, stepId, differs } of effects)
    context.out(`${change.padEnd(8)} ${kind} ${label} (${stepId})${differs ? `: ${differs.join(', ')}` : ''}\n`);
  for (const { change, path } of files) context.out(`${change.padEnd(8)} ${path}\n`);
  context.out(`output: ${output.same ? 'same' : 'different'}; cost: ${costText(cost.a)} and ${costText(cost.b)}\n`);
}

const costText = ({ costUsd }: CostReport): string =>
  typeof costUsd === 'number' ? `${costUsd} USD` : (costUsd ?? 'none');

/** `reins diff <request>`: the files that it changed. */
export async function diffCommand(context: CliContext, id: string): Promise<ExitCode> {
  const files = await (await openRunBackend(context, id, {})).changedFiles();
  if (context.json) printJson(context, files);
  else context.out(files.map(({ path, change }) => `${change.padEnd(8)} ${path}\n`).join('') || 'no files changed\n');
  return EXIT.ok;
}
