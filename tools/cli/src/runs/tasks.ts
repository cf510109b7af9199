import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonValue, ReinsError } from '@reins/contracts';
import { pendingEffects } from '@reins/journal';
import { blobPath, type RunReading, readRun, type TaskReport, tasksOf } from '@reins/journal/rundir';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';
import { findRunDirectory, type RunHandle, type RunsFlags } from './locate.ts';

/** Of requests; loaded when one is asked for. */
const requests = () => import('../requests/inspect.ts');

export interface TaskListFlags extends RunsFlags {
  readonly pending?: boolean;
  readonly kind?: string;
}

/** `reins task:list` */
export async function taskList(context: CliContext, argument: string, flags: TaskListFlags): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  const tasks = handle
    ? await directoryTasks(handle, flags)
    : await (await requests()).requestTasks(context, argument, flags);
  if (context.json) printJson(context, { tasks });
  else context.out(tasks.length > 0 ? `${taskTable(tasks)}\n` : 'no tasks\n');
  return EXIT.ok;
}

async function directoryTasks({ store, run }: RunHandle, flags: TaskListFlags): Promise<TaskReport[]> {
  const kind = flags.kind?.toLowerCase();
  const reading = await readRun(store, run);
  const effects = flags.pending ? pendingEffects(reading.state) : undefined;
  return tasksOf(reading, effects).filter((task) => kind === undefined || task.kind.toLowerCase() === kind);
}

function taskTable(tasks: readonly TaskReport[]): string {
  const rows = tasks.map(({ effectId, status, kind, label, taskId }) => [effectId, status, kind, taskId, label]);
  return table(['effect', 'status', 'kind', 'task', 'label'], rows);
}

export interface TaskShowFlags extends RunsFlags {
  readonly verbose?: boolean;
}

/** Definitions and results may hold secrets: they are shown only to who says so twice. */
const ALLOW = 'BABYSITTER_ALLOW_SECRET_LOGS';

/** Larger results are shown by reference. */
const LARGE_BYTES = 1024 * 1024;

/** `reins task:show` */
export async function taskShow(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: TaskShowFlags,
): Promise<ExitCode> {
  const isOpen = context.json && flags.verbose === true && ['1', 'true'].includes(context.env[ALLOW] ?? '');
  const handle = findRunDirectory(context, argument, flags);
  const { effect, ...all } = handle
    ? await directoryTask(handle, effectId)
    : ((await (await requests()).requestTask(context, argument, effectId)) ?? unknownEffect(effectId));
  const shown = isOpen ? all : { task: null, result: null, largeResult: null };
  if (context.json) printJson(context, { effect, ...shown });
  else for (const [name, value] of Object.entries(effect)) context.out(`${name.padEnd(12)} ${String(value ?? '-')}\n`);
  return EXIT.ok;
}

async function directoryTask({ store, run }: RunHandle, effectId: string) {
  const reading = await readRun(store, run);
  const effect = taskOf(reading, effectId);
  return { effect, ...contents(reading, effect) };
}

/** @throws ReinsError `effect_not_pending` when the run has no such effect */
export function taskOf(reading: RunReading, effectId: string): TaskReport {
  const effect = reading.state.effects.get(effectId);
  const [found] = effect ? tasksOf(reading, [effect]) : [];
  return found ?? unknownEffect(effectId);
}

function unknownEffect(effectId: string): never {
  const hint = '`reins task:list` shows those that there are';
  throw new ReinsError({
    code: 'effect_not_pending',
    message: `the run has no effect ${effectId}`,
    path: effectId,
    hint,
  });
}

function contents({ paths, state, blobs }: RunReading, { effectId, resultRef }: TaskReport) {
  const directory = join(paths.tasks, effectId);
  const task = jsonIfThere(join(directory, 'task.json'));
  if (resultRef === null) return { task, result: null, largeResult: null };
  const file = join(directory, 'result.json');
  const { valueRef } = state.effects.get(effectId)?.result ?? {};
  const size = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) + (valueRef?.size ?? 0);
  if (size > LARGE_BYTES) return { task, result: null, largeResult: valueRef ? blobPath(valueRef) : resultRef };
  const result = jsonIfThere(file);
  const whole = valueRef && isObject(result) ? { ...result, value: blobs.read(valueRef) } : result;
  return { task, result: whole, largeResult: null };
}

function jsonIfThere(path: string): JsonValue {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
  } catch {
    return null;
  }
}
