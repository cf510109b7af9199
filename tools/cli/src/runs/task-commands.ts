import type { AddCommand } from '../command.ts';
import { runsCommand } from './commands.ts';
import type { PostFlags, ReasonFlags, TaskListFlags, TaskShowFlags } from './flags.ts';
import type { RunsFlags } from './locate.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const tasks = () => import('./tasks.ts');
const change = () => import('./change.ts');

/** The commands on the effects of a run. */
export const addTasks: AddCommand = (program, run) => {
  runsCommand(program, 'task:list <run>', 'List the effects of a run')
    .option('--pending', 'Only pending effects')
    .option('--kind <kind>', 'Only effects of this kind')
    .action((id: string, flags: TaskListFlags) => run(async (context) => (await tasks()).taskList(context, id, flags)));
  runsCommand(program, 'task:show <run> <effect>', 'Show an effect')
    .option('--verbose', 'Include definition and result; needs --json and BABYSITTER_ALLOW_SECRET_LOGS=1')
    .action((id: string, effect: string, flags: TaskShowFlags) =>
      run(async (context) => (await tasks()).taskShow(context, id, effect, flags)),
    );
  runsCommand(program, 'task:post <run> <effect>', 'Record the result of an effect')
    .option('--status <status>', 'Status of the result: ok or error')
    .option('--value <file>', 'Value from a JSON file; - reads standard input')
    .option('--value-inline <json>', 'Value as JSON')
    .option('--error <file>', 'Error from a file, as JSON or plain text')
    .option('--stdout-file <file>', 'Standard output to store with the result')
    .option('--stderr-file <file>', 'Standard error to store with the result')
    .option('--stdout-ref <path>', 'Path of stored standard output in the run directory')
    .option('--stderr-ref <path>', 'Path of stored standard error in the run directory')
    .option('--started-at <time>', 'Start time of the work')
    .option('--finished-at <time>', 'End time of the work')
    .option('--metadata <file>', 'Metadata to store with the result, as a JSON file')
    .option('--invocation-key <key>', 'Fail unless the effect has this invocation key')
    .option('--dry-run', 'Show what would change, without changing anything')
    .action((id: string, effect: string, flags: PostFlags) =>
      run(async (context) => (await change()).taskPost(context, id, effect, flags)),
    );
  runsCommand(program, 'task:cancel <run> <effect>', 'Cancel an effect')
    .option('--reason <text>', 'Reason to record')
    .option('--dry-run', 'Show what would change, without changing anything')
    .action((id: string, effect: string, flags: ReasonFlags) =>
      run(async (context) => (await change()).taskCancel(context, id, effect, flags)),
    );
  runsCommand(
    program,
    'task:invalidate <run> <effect>',
    'Invalidate an effect, so that it and all later effects are requested again',
  )
    .option('--reason <text>', 'Reason to record')
    .option('--dry-run', 'Show what would change, without changing anything')
    .action((id: string, effect: string, flags: ReasonFlags) =>
      run(async (context) => (await change()).taskInvalidate(context, id, effect, flags)),
    );
  for (const topic of ['babysit-skill', 'process-create', 'orchestrate', 'breakpoint-handling'] as const)
    runsCommand(program, `instructions:${topic}`, `Print the ${topic} instructions for agents`).action(
      (flags: RunsFlags) =>
        run(async (context) => (await import('./instructions.ts')).instructions(context, topic, flags)),
    );
};
