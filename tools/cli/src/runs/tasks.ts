import { ReinsError } from '@reins/contracts';
import type { TaskReport } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { table } from '../output/table.ts';
import type { TaskListFlags, TaskShowFlags } from './flags.ts';
import { openRunBackend } from './open-run-backend.ts';

/** `reins task:list` */
export async function taskList(context: CliContext, argument: string, flags: TaskListFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const tasks = await run.tasks(flags);
  if (context.json) printJson(context, { tasks });
  else context.out(tasks.length > 0 ? `${taskTable(tasks)}\n` : 'no tasks\n');
  return EXIT.ok;
}

function taskTable(tasks: readonly TaskReport[]): string {
  const rows = tasks.map(({ effectId, status, kind, label, taskId }) => [effectId, status, kind, taskId, label]);
  return table(['effectId', 'status', 'kind', 'taskId', 'label'], rows);
}

/** Definitions and results may hold secrets, so `--verbose` needs this environment variable too. */
const ALLOW_SECRETS = 'BABYSITTER_ALLOW_SECRET_LOGS';

/** `reins task:show` */
export async function taskShow(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: TaskShowFlags,
): Promise<ExitCode> {
  const showsContents =
    context.json && flags.verbose === true && ['1', 'true'].includes(context.env[ALLOW_SECRETS] ?? '');
  const run = await openRunBackend(context, argument, flags);
  const { effect, ...all } = (await run.task(effectId)) ?? unknownEffect(effectId);
  const shown = showsContents ? all : { task: null, result: null, largeResult: null };
  if (context.json) printJson(context, { effect, ...shown });
  else for (const [name, value] of Object.entries(effect)) context.out(`${name.padEnd(12)} ${String(value ?? '-')}\n`);
  return EXIT.ok;
}

/** @throws ReinsError `effect_not_pending` */
function unknownEffect(effectId: string): never {
  const hint = 'List the effects with `reins task:list`.';
  throw new ReinsError({
    code: 'effect_not_pending',
    message: `the run has no effect ${effectId}`,
    path: effectId,
    hint,
  });
}
