import { readFileSync } from 'node:fs';
import type { ReinsError } from '@reins/contracts';
import { Command, CommanderError } from 'commander';
import { wrongUsage } from './arguments.ts';
import { addBusCommands } from './commands/bus.ts';
import type { Action, AddCommand } from './commands/command.ts';
import { addCompile } from './commands/compile.ts';
import { addDoctor } from './commands/doctor.ts';
import { addFiles } from './commands/files.ts';
import { addReplay } from './commands/replay.ts';
import { addRequests } from './commands/requests.ts';
import { addRun } from './commands/run.ts';
import { addRuns } from './commands/runs.ts';
import { addSnapshot } from './commands/snapshot.ts';
import { addTasks } from './commands/tasks.ts';
import { addUp } from './commands/up.ts';
import { addWatch } from './commands/watch.ts';
import { type CliContext, stateDirOf } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';
import { reportError } from './output/report.ts';

const COMMANDS: readonly AddCommand[] = [
  addUp,
  addRun,
  addCompile,
  addRequests,
  addFiles,
  addSnapshot,
  addDoctor,
  addWatch,
  addBusCommands,
  addRuns,
  addTasks,
  addReplay,
];

export interface CliIo {
  readonly env: CliContext['env'];
  readonly out: (text: string) => void;
  readonly taken?: CliContext['taken'];
  readonly err: (text: string) => void;
  readonly inProcess?: CliContext['inProcess'];
}

/** Runs one command line. Resolves with the exit code; every error has been told by then. */
export async function runProgram(args: readonly string[], io: CliIo): Promise<ExitCode> {
  let exit: ExitCode = EXIT.ok;
  const program = new Command('reins')
    .description('The runtime and control plane for agent work')
    .option('--json', 'answers for programs')
    .option('--state-dir <dir>', 'where the installation of this machine keeps its state (default: .reins)')
    .version(version(), '-v, --version')
    .addHelpText('after', '\n`source <(reins complete bash)` (or zsh, fish, powershell) completes command lines.')
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.err });
  const run = async (action: Action): Promise<void> => {
    const context = contextOf(program, io);
    try {
      exit = await action(context);
    } catch (error) {
      exit = reportError(context, error);
    }
  };
  for (const add of COMMANDS) add(program, run);
  for (const command of everyCommand(program)) {
    if (command !== program) command.option('--json', 'answers for programs');
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  }
  const words = args[0] === 'completion' ? ['complete', ...args.slice(1)] : args;
  if (words[0] === 'complete') (await import('@bomb.sh/tab/commander')).default(program);
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.ok;
    return words.includes('--json')
      ? reportError({ ...contextOf(program, io), json: true }, misread(error))
      : EXIT.usage;
  }
  return exit;
}

/** What could not be read of a command line, as any other error: commander has told people already. */
function misread({ message }: CommanderError): ReinsError {
  const [wrong = message, ...more] = message.replace(/^error: /, '').split('\n');
  return wrongUsage(wrong, more.join(' ').replace(/^\((.*)\)$/, '$1') || undefined);
}

const version = (): string =>
  (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;

function contextOf(program: Command, io: CliIo): CliContext {
  const options = program.opts<{ json?: boolean; stateDir?: string }>();
  const json =
    options.json === true || everyCommand(program).some((command) => command.opts<{ json?: boolean }>().json === true);
  return {
    env: io.env,
    ...(io.inProcess !== undefined && { inProcess: io.inProcess }),
    stateDir: stateDirOf(options.stateDir, io.env),
    json,
    out: io.out,
    taken: io.taken ?? (() => Promise.resolve()),
    note: (text) => io.err(`${text}\n`),
  };
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];
