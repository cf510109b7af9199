import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type JsonValue } from '@reins/contracts';
import { pendingEffects } from '@reins/journal';
import { blobPath, type LoadedRun, readRun, type TaskReport, tasksOf } from '@reins/run-directory';
import type { TaskListFlags } from '../flags.ts';
import type { RunHandle } from '../locate.ts';
import type { RunTask } from '../run-backend.ts';

/** The effects of a run directory. */
export async function directoryTasks({ store, run }: RunHandle, flags: TaskListFlags): Promise<TaskReport[]> {
  const kind = flags.kind?.toLowerCase();
  const loaded = await readRun(store, run);
  const effects = flags.pending ? pendingEffects(loaded.state) : undefined;
  return tasksOf(loaded, effects).filter((task) => kind === undefined || task.kind.toLowerCase() === kind);
}

/** Larger results are shown by reference. */
const LARGE_BYTES = 1024 * 1024;

/** An effect of a run directory; undefined for an unknown effect. */
export async function directoryTask({ store, run }: RunHandle, effectId: string): Promise<RunTask | undefined> {
  const loaded = await readRun(store, run);
  const effect = loaded.state.effects.get(effectId);
  const [found] = effect ? tasksOf(loaded, [effect]) : [];
  return found && { effect: found, ...contents(loaded, found) };
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
