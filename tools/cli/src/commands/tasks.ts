import type { RunsFlags } from '../runs/locate.ts';
import type { DryRunFlags } from '../runs/maintenance.ts';
import type { PostFlags } from '../runs/post.ts';
import type { TaskListFlags, TaskShowFlags } from '../runs/tasks.ts';
import type { AddCommand } from './command.ts';
import { runsCommand } from './runs.ts';

/** Each loaded when it is used: a command line starts at once. */
const tasks = () => import('../runs/tasks.ts');
const post = () => import('../runs/post.ts');

/** The work that runs in directories wait for. */
export const addTasks: AddCommand = (program, run) => {
  runsCommand(program, 'task:list <run>', 'the effects of a run')
    .option('--pending', 'only those that wait')
    .option('--kind <kind>', 'only those of this kind')
    .action((id: string, flags: TaskListFlags) => run(async (context) => (await tasks()).taskList(context, id, flags)));
  runsCommand(program, 'task:show <run> <effect>', 'one effect')
    .option('--verbose', 'with --json and BABYSITTER_ALLOW_SECRET_LOGS=1: its definition and its result')
    .action((id: string, effect: string, flags: TaskShowFlags) =>
      run(async (context) => (await tasks()).taskShow(context, id, effect, flags)),
    );
  runsCommand(program, 'task:post <run> <effect>', 'record the result of an effect')
    .option('--status <status>', 'ok or error')
    .option('--value <file>', 'the value, as a JSON file; - is standard input')
    .option('--value-inline <json>', 'the value')
    .option('--error <file>', 'the error, as JSON or plain text')
    .option('--stdout-file <file>', 'what the work wrote; kept with the result')
    .option('--stderr-file <file>', 'what it wrote as errors; kept with the result')
    .option('--stdout-ref <path>', 'where in the run directory that lies already')
    .option('--stderr-ref <path>', 'where in the run directory that lies already')
    .option('--started-at <time>', 'when the work began')
    .option('--finished-at <time>', 'when it ended')
    .option('--metadata <file>', 'what else is to be kept with the result, as a JSON file')
    .option('--invocation-key <key>', 'the key that the effect must have')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action((id: string, effect: string, flags: PostFlags) =>
      run(async (context) => (await post()).taskPost(context, id, effect, flags)),
    );
  runsCommand(program, 'task:cancel <run> <effect>', 'withdraw an effect')
    .option('--reason <text>', 'why')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action((id: string, effect: string, flags: DryRunFlags & { readonly reason?: string }) =>
      run(async (context) => (await post()).taskCancel(context, id, effect, flags)),
    );
  runsCommand(program, 'task:invalidate <run> <effect>', 'have an effect, and everything after it, asked for again')
    .option('--reason <text>', 'why')
    .option('--dry-run', 'say what would be done, and do nothing')
    .action((id: string, effect: string, flags: DryRunFlags & { readonly reason?: string }) =>
      run(async (context) => (await post()).taskInvalidate(context, id, effect, flags)),
    );
  for (const topic of ['babysit-skill', 'process-create', 'orchestrate', 'breakpoint-handling'] as const)
    runsCommand(program, `instructions:${topic}`, 'how an agent works with runs').action((flags: RunsFlags) =>
      run(async (context) => (await import('../runs/instructions.ts')).instructions(context, topic, flags)),
    );
};
