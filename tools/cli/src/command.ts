import type { Command } from 'commander';
import type { CliContext } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** Runs a command: writes its output through the context and returns the exit code. */
export type Action = (context: CliContext) => Promise<ExitCode>;

/** Adds commands to the program; `run` calls an action with the context of the command line. */
export type AddCommand = (program: Command, run: (action: Action) => Promise<void>) => void;
