import { readFileSync } from 'node:fs';
import { defined } from '@reins/contracts';
import { Command, CommanderError } from 'commander';
import { addBusCommands } from './bus/commands.ts';
import type { Action, AddCommand } from './command.ts';
import { addCompile } from './compile/commands.ts';
import { type CliContext, stateDirOf } from './context.ts';
import { addDoctor } from './doctor/commands.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { addFiles } from './files/commands.ts';
import { addHarness } from './harness/commands.ts';
import { addMemory } from './memory/commands.ts';
import { addModel } from './model/commands.ts';
import { reportError } from './output/report.ts';
import { typedCommand, withTypedCommands } from './output/typed-command.ts';
import { addRequests } from './requests/commands.ts';
import { addRun } from './run/commands.ts';
import { addRuns } from './runs/commands.ts';
import { addReplay } from './runs/replay-commands.ts';
import { addTasks } from './runs/task-commands.ts';
import { addSnapshot } from './snapshot/commands.ts';
import { addStorage } from './storage/commands.ts';
import { addWatch } from './top/commands.ts';
import { addUp } from './up/commands.ts';
import { addHelp, allCommands, UsageErrors, withHint } from './usage.ts';

const COMMANDS: readonly AddCommand[] = [
  addUp,
  addRun,
  addCompile,
  addRequests,
  addFiles,
  addSnapshot,
  addMemory,
  addModel,
  addHarness,
  addDoctor,
  addWatch,
  addStorage,
  addBusCommands,
  addRuns,
  addTasks,
  addReplay,
];

export interface CliIo {
  readonly env: CliContext['env'];
  readonly out: (text: string) => void;
  readonly drained?: CliContext['drained'];
  readonly err: (text: string) => void;
  readonly inProcess?: CliContext['inProcess'];
  /** The name of the person's account, for records, if the environment does not have it. */
  readonly account?: string;
  /** The path of the script that runs. */
  readonly script?: string;
}

/** Runs one command line and reports its errors. Resolves with the exit code. */
export async function runProgram(args: readonly string[], io: CliIo): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const usageErrors = new UsageErrors(io.out);
  const program = usageErrors
    .attach(new Command('reins'))
    .description('Submit and follow agent work, and operate an installation')
    .option('--json', 'Print JSON on standard output')
    .option('--state-dir <dir>', 'State folder of the installation (default: .reins)')
    .version(version(), '-v, --version', 'Show the version')
    .helpOption('-h, --help', 'Show help')
    .addHelpText(
      'after',
      '\nRun `source <(reins complete bash)` (or zsh, fish, powershell) to enable shell completion.',
    );
  let called: Command | undefined;
  program.hook('preAction', (_, command) => {
    called = command;
  });
  const run = async (action: Action): Promise<void> => {
    const context = contextOf(program, io);
    try {
      exit = await action(context);
    } catch (error) {
      exit = reportError(context, withHint(error, called));
    }
  };
  for (const add of COMMANDS) add(program, run);
  const words = withoutGlobalOptions(args);
  if (isCompletionRequest(words)) (await import('@bomb.sh/tab/commander')).default(program);
  else
    program
      .command(`${COMPLETE} <shell>`)
      .alias('completion')
      .description('Print the completion script for a shell (bash, zsh, fish or powershell)');
  addHelp(program, run);
  for (const command of allCommands(program)) {
    if (command !== program) command.option('--json', 'Print JSON on standard output');
    usageErrors.attach(command);
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    const json = args.includes('--json');
    if (!json) io.err(usageErrors.usage);
    return reportError({ ...contextOf(program, io), json }, usageErrors.problem(error));
  }
  return exit;
}

const COMPLETE = 'complete';

/** Drops the global options in front of `complete`, because the completion library does not know them. */
function withoutGlobalOptions(args: readonly string[]): readonly string[] {
  const first = args.findIndex((word, at) => !word.startsWith('-') && args[at - 1] !== '--state-dir');
  return [COMPLETE, 'completion'].includes(args[first] ?? '') ? [COMPLETE, ...args.slice(first + 1)] : args;
}

/** Whether to load the completion library: it needs the name of a shell, or `--` and a command line. */
const isCompletionRequest = ([command, ...more]: readonly string[]): boolean =>
  command === COMPLETE && more.some((word) => word === '--' || !word.startsWith('-'));

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

function contextOf(program: Command, io: CliIo): CliContext {
  const options = program.opts<{ json?: boolean; stateDir?: string }>();
  const command = typedCommand(io.env, io.script);
  const names = program.commands.map((one) => one.name());
  const typed = (text: string): string => withTypedCommands(text, command, names);
  const json =
    options.json === true || allCommands(program).some((command) => command.opts<{ json?: boolean }>().json === true);
  return {
    env: io.env,
    ...defined({ account: io.account }),
    ...defined({ inProcess: io.inProcess }),
    stateDir: stateDirOf(options.stateDir, io.env),
    json,
    out: io.out,
    drained: io.drained ?? (() => Promise.resolve()),
    typed,
    note: (text) => io.err(`${typed(text)}\n`),
  };
}
