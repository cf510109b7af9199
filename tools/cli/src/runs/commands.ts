import type { Command } from 'commander';
import type { AddCommand } from '../command.ts';
import type { CreateFlags } from './create.ts';
import type { AssignFlags, DryRunFlags, EventsFlags, HaltFlags, RecoverFlags, RepairFlags } from './flags.ts';
import type { RunsFlags } from './locate.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const inspect = () => import('./inspect.ts');
const change = () => import('./change.ts');

const DRY_RUN = ['--dry-run', 'Show what would change, without changing anything'] as const;

/** Adds a command that takes a run directory, with the option `--runs-dir`. */
export const runsCommand = (program: Command, usage: string, description: string): Command =>
  program
    .command(usage)
    .description(description)
    .option(
      '--runs-dir <dir>',
      'Folder of the run directories (default: ~/.a5c/runs); relative to the home directory, or to the repository if BABYSITTER_RUNS_SCOPE selects it',
    );

/** The commands on runs (of directories and of requests). Their names are those of babysitter. */
export const addRuns: AddCommand = (program, run) => {
  runsCommand(program, 'run:create', 'Create a run directory')
    .option('--entry <path#export>', 'Process of the run; without it, the run waits for run:assign-process')
    .option('--process-id <id>', 'Name of the process')
    .option('--process-revision <revision>', 'Revision of the process')
    .option('--run-id <id>', 'Id of the run (default: generated)')
    .option('--inputs <file|json>', 'Inputs of the process')
    .option('--request <text>', 'Text of the request, for reports')
    .option('--prompt <text>', 'Prompt of the run, for reports')
    .option('--harness <name>', 'Name of the agent harness')
    .option(
      '--session-id <id>',
      'Session of the run; if it has a run without a process, assign the process to that run',
    )
    .option('--nested <json>', 'Parent run and effect of a nested run, as JSON')
    .option('--governance <file>', 'Policy rules of the run, as a JSON file')
    .option('--non-interactive', 'Approve every breakpoint automatically')
    .option(
      '--completion-proof <text>',
      'Text that run:iterate and run:status report when the run completes (default: random)',
    )
    .option(...DRY_RUN)
    .action((flags: CreateFlags) => run(async (context) => (await import('./create.ts')).runCreate(context, flags)));
  runsCommand(
    program,
    'run:iterate <run>',
    'Run the process of a run directory until it waits or ends; for a request, only show its status',
  ).action((id: string, flags: RunsFlags) =>
    run(async (context) => (await import('./iterate.ts')).runIterate(context, id, flags)),
  );
  runsCommand(program, 'run:status <run>', 'Show the status of a run').action((id: string, flags: RunsFlags) =>
    run(async (context) => (await inspect()).runStatus(context, id, flags)),
  );
  runsCommand(program, 'run:events <run>', 'List the journal entries of a run')
    .option('--limit <n>', 'Maximum number of entries')
    .option('--reverse', 'Newest entry first')
    .option('--filter-type <type>', 'Only entries of this type')
    .action((id: string, flags: EventsFlags) =>
      run(async (context) => (await inspect()).runEvents(context, id, flags)),
    );
  addChanges(program, run);
};

const addChanges: AddCommand = (program, run) => {
  runsCommand(program, 'run:assign-process <run>', 'Assign a process to a run that has none')
    .option('--entry <path#export>', 'Process to assign')
    .option('--process-id <id>', 'Name of the process')
    .option('--inputs <file|json>', 'Inputs of the process')
    .option('--force', 'Replace an assigned process; its pending effects are cancelled')
    .option(...DRY_RUN)
    .action((id: string, flags: AssignFlags) =>
      run(async (context) => (await change()).runAssignProcess(context, id, flags)),
    );
  runsCommand(program, 'run:halt <run>', 'End a run')
    .option(
      '--status <status>',
      'Final status: completed, failed or halted (default: completed); a request always ends as halted',
    )
    .option('--reason <text>', 'Reason to record')
    .option(...DRY_RUN)
    .action((id: string, flags: HaltFlags) => run(async (context) => (await change()).runHalt(context, id, flags)));
  runsCommand(
    program,
    'run:rebuild-state <run>',
    'Rebuild the derived state of a run; for a request, only compare its state with the journal',
  )
    .option(...DRY_RUN)
    .action((id: string, flags: DryRunFlags) =>
      run(async (context) => (await change()).runRebuildState(context, id, flags)),
    );
  runsCommand(
    program,
    'run:repair-journal <run>',
    'Repair a corrupted run journal and keep a backup; for a request, continue it in a new request',
  )
    .option(
      '--accept <effect>',
      'Accept changed content that cannot be verified, by effect id or entry number; repeatable',
      (value, list: string[] = []) => [...list, value],
    )
    .option('--entry <path#export>', 'Process of a run directory that lost its first entry and run.json')
    .option(...DRY_RUN)
    .action((id: string, flags: RepairFlags) =>
      run(async (context) => (await import('./repair.ts')).runRepairJournal(context, id, flags)),
    );
  runsCommand(program, 'run:verify <run>', 'Verify the journal and files of a run').action(
    (id: string, flags: RunsFlags) => run(async (context) => (await inspect()).runVerify(context, id, flags)),
  );
  runsCommand(
    program,
    'run:recover-process-error <run>',
    'Remove the last process error from the journal; for a request, resume the process',
  )
    .option(
      '--patch-effect <effect:path=json>',
      'Change a recorded result; run directories only; repeatable',
      (value, list: string[]) => [...list, value],
      [],
    )
    .option(...DRY_RUN)
    .action((id: string, flags: RecoverFlags) =>
      run(async (context) => (await change()).runRecover(context, id, flags)),
    );
};
