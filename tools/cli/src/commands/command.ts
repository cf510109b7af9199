import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';

/** What a command does: it speaks through the context, and says how the process ends. */
export type Action = (context: CliContext) => Promise<ExitCode>;

/** Adds a command to the program; `run` starts its action with the context of the call. */
export type AddCommand = (program: Command, run: (action: Action) => Promise<void>) => void;
