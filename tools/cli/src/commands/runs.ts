import type { Command } from 'commander';
import type { AssignFlags, HaltFlags } from '../runs/assign-halt.ts';
import type { CreateFlags } from '../runs/create.ts';
import type { EventsFlags } from '../runs/inspect.ts';
import type { RunsFlags } from '../runs/locate.ts';
import type { DryRunFlags, RecoverFlags } from '../runs/maintenance.ts';
import type { AddCommand } from './command.ts';

/** Each loaded when it is used: a command line starts at once. */
const inspect = () => import('../runs/inspect.ts');
const operate = () => import('../runs/maintenance.ts');
const govern = () => import('../runs/assign-halt.ts');

const DRY_RUN = ['--dry-run', 'say what would be done, and do nothing'] as const;

/** A command on run directories. */
export const runsCommand = (program: Command, usage: string, description: string): Command =>
  program.command(usage).description(description).option('--runs-dir <dir>', 'where run directories are');

/** The commands on runs, in directories and of requests, under the names that they have for babysitter. */
export const addRuns: AddCommand = (program, run) => {
  runsCommand(program, 'run:create', 'create a run directory')
    .option('--entry <path#export>', 'the process; without it the run waits for run:assign-process')
    .option('--process-id <id>', 'what the process is called')
    .option('--process-revision <revision>', 'which revision of the process it is')
    .option('--run-id <id>', 'the id of the run (default: a new one)')
    .option('--inputs <file|json>', 'what the process is given')
    .option('--request <text>', 'what was asked for')
    .option('--prompt <text>', 'the prompt that the run is for')
    .option('--harness <name>', 'the harness that works for it')
    .option('--session-id <id>', 'the conversation that it belongs to: a bare run of it is given the process')
    .option('--nested <json>', 'the run and the effect that it belongs to')
    .option('--governance <file>', 'the policy rules that it stands under, as a JSON file')
    .option('--non-interactive', 'nobody is there to answer breakpoints: they are approved at once')
    .option('--completion-proof <text>', 'what is shown when it has completed (default: a random one)')
    .option(...DRY_RUN)
    .action((flags: CreateFlags) =>
      run(async (context) => (await import('../runs/create.ts')).runCreate(context, flags)),
    );
  runsCommand(
    program,
    'run:iterate <run>',
    'run the process until it waits or has ended; of a request, how it stands',
  ).action((id: string, flags: RunsFlags) =>
    run(async (context) => (await import('../runs/iterate.ts')).runIterate(context, id, flags)),
  );
  runsCommand(program, 'run:status <run>', 'how a run stands').action((id: string, flags: RunsFlags) =>
    run(async (context) => (await inspect()).runStatus(context, id, flags)),
  );
  runsCommand(program, 'run:events <run>', 'the entries of its journal')
    .option('--limit <n>', 'how many')
    .option('--reverse', 'the last one first')
    .option('--filter-type <type>', 'only those of this type')
    .action((id: string, flags: EventsFlags) =>
      run(async (context) => (await inspect()).runEvents(context, id, flags)),
    );
  addChanges(program, run);
};

const addChanges: AddCommand = (program, run) => {
  runsCommand(program, 'run:assign-process <run>', 'give a bare run its process')
    .option('--entry <path#export>', 'the process')
    .option('--process-id <id>', 'what it is called')
    .option('--inputs <file|json>', 'what it is given')
    .option('--force', 'also where the run has a process: what that asked for is cancelled')
    .option(...DRY_RUN)
    .action((id: string, flags: AssignFlags) =>
      run(async (context) => (await govern()).runAssignProcess(context, id, flags)),
    );
  runsCommand(program, 'run:halt <run>', 'end a run by hand')
    .option('--status <status>', 'completed, failed or halted')
    .option('--reason <text>', 'why')
    .option(...DRY_RUN)
    .action((id: string, flags: HaltFlags) => run(async (context) => (await govern()).runHalt(context, id, flags)));
  runsCommand(
    program,
    'run:rebuild-state <run>',
    'make what follows from the journal again; of a request, compare what is told of it with that',
  )
    .option(...DRY_RUN)
    .action((id: string, flags: DryRunFlags) =>
      run(async (context) => (await operate()).runRebuildState(context, id, flags)),
    );
  runsCommand(
    program,
    'run:repair-journal <run>',
    'make a damaged journal lawful again, and keep the old one; of a request, as a new one',
  )
    .option(...DRY_RUN)
    .action((id: string, flags: DryRunFlags) =>
      run(async (context) => (await import('../runs/repair.ts')).runRepairJournal(context, id, flags)),
    );
  runsCommand(program, 'run:verify <run>', 'whether a run directory is what it claims to be').action(
    (id: string, flags: RunsFlags) => run(async (context) => (await operate()).runVerify(context, id, flags)),
  );
  runsCommand(
    program,
    'run:recover-process-error <run>',
    'take the last error of the process out of the journal; of a request, let it go on behind it',
  )
    .option(
      '--patch-effect <effect:path=json>',
      'of a run directory: change a recorded result; may be given several times',
      (value, list: string[]) => [...list, value],
      [],
    )
    .option(...DRY_RUN)
    .action((id: string, flags: RecoverFlags) =>
      run(async (context) => (await operate()).runRecover(context, id, flags)),
    );
};
