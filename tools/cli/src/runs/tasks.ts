import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonValue, ReinsError } from '@reins/contracts';
import { pendingEffects } from '@reins/journal';
import { blobPath, type LoadedRun, readRun, type TaskReport, tasksOf } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';
import { findRunDirectory, type RunHandle, type RunsFlags } from './locate.ts';

/** The same commands for requests, imported when needed. */
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
  const loaded = await readRun(store, run);
  const effects = flags.pending ? pendingEffects(loaded.state) : undefined;
  return tasksOf(loaded, effects).filter((task) => kind === undefined || task.kind.toLowerCase() === kind);
}

function taskTable(tasks: readonly TaskReport[]): string {
  const rows = tasks.map(({ effectId, status, kind, label, taskId }) => [effectId, status, kind, taskId, label]);
  return table(['effectId', 'status', 'kind', 'taskId', 'label'], rows);
}

export interface TaskShowFlags extends RunsFlags {
  readonly verbose?: boolean;
}

/** Definitions and results may hold secrets, so `--verbose` needs this environment variable too. */
const ALLOW_SECRETS = 'BABYSITTER_ALLOW_SECRET_LOGS';

/** Larger results are shown by reference. */
const LARGE_BYTES = 1024 * 1024;

/** `reins task:show` */
export async function taskShow(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: TaskShowFlags,
): Promise<ExitCode> {
  const showsContents =
    context.json && flags.verbose === true && ['1', 'true'].includes(context.env[ALLOW_SECRETS] ?? '');
  const handle = findRunDirectory(context, argument, flags);
  const { effect, ...all } = handle
    ? await directoryTask(handle, effectId)
    : ((await (await requests()).requestTask(context, argument, effectId)) ?? unknownEffect(effectId));
  const shown = showsContents ? all : { task: null, result: null, largeResult: null };
  if (context.json) printJson(context, { effect, ...shown });
  else for (const [name, value] of Object.entries(effect)) context.out(`${name.padEnd(12)} ${String(value ?? '-')}\n`);
  return EXIT.ok;
}

async function directoryTask({ store, run }: RunHandle, effectId: string) {
  const loaded = await readRun(store, run);
  const effect = taskOf(loaded, effectId);
  return { effect, ...contents(loaded, effect) };
}

/** The report of one effect. @throws ReinsError `effect_not_pending` for an unknown effect */
export function taskOf(loaded: LoadedRun, effectId: string): TaskReport {
  const effect = loaded.state.effects.get(effectId);
  const [found] = effect ? tasksOf(loaded, [effect]) : [];
  return found ?? unknownEffect(effectId);
}

function unknownEffect(effectId: string): never {
  const hint = 'List the effects with `reins task:list`.';
  throw new ReinsError({
    code: 'effect_not_pending',
    message: `the run has no effect ${effectId}`,
    path: effectId,
    hint,
  });
}

function contents({ paths, state, blobs }: LoadedRun, { effectId, resultRef }: TaskReport) {
  const directory = join(paths.tasks, effectId);
  const task = readJsonIfExists(join(directory, 'task.json'));
  if (resultRef === null) return { task, result: null, largeResult: null };
  const file = join(directory, 'result.json');
  const { valueRef } = state.effects.get(effectId)?.result ?? {};
  const size = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) + (valueRef?.size ?? 0);
  if (size > LARGE_BYTES) return { task, result: null, largeResult: valueRef ? blobPath(valueRef) : resultRef };
  const result = readJsonIfExists(file);
  const whole = valueRef && isObject(result) ? { ...result, value: blobs.read(valueRef) } : result;
  return { task, result: whole, largeResult: null };
}

function readJsonIfExists(path: string): JsonValue {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JsonValue;
  } catch {
    return null;
  }
}
