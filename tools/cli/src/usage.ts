import { isReinsError, ReinsError } from '@reins/contracts';
import type { Command, CommanderError } from 'commander';
import { wrongUsage } from './arguments.ts';
import type { Action } from './command.ts';
import { EXIT } from './exit-codes.ts';

/** A command and all its subcommands. */
export const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

/** The full name of a command, such as `reins dead show`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Adds `help [command...]` to the program and to every group. Commander's own `help` takes a single word. */
export function addHelp(program: Command, run: (action: Action) => Promise<void>): void {
  for (const group of allCommands(program).filter(({ commands }) => commands.length > 0))
    group
      .command('help [command...]')
      .description('Show the help of a command')
      .action((names: string[]) =>
        run(async () => {
          names.reduce(findSubcommand, group).outputHelp();
          return EXIT.ok;
        }),
      );
}

/** @throws ReinsError `wrong_usage` for an unknown name */
function findSubcommand(group: Command, name: string): Command {
  const found = group.commands.find((command) => command.name() === name || command.aliases().includes(name));
  if (found) return found;
  throw wrongUsage(`unknown command '${name}'`, `List the commands with \`${pathOf(group)} --help\`.`);
}

/** Adds a hint to usage errors that a command throws, as commander's own usage errors have one. */
export function withHint(error: unknown, command: Command | undefined): unknown {
  if (!command || !isReinsError(error)) return error;
  const hint = `Show the usage with \`${pathOf(command)} --help\`.`;
  const problems = error.problems.map((one) => (one.code === 'wrong_usage' ? { hint, ...one } : one));
  return new ReinsError(problems, { cause: error });
}

/** Turns commander's usage errors into ReinsErrors. */
export class UsageErrors {
  readonly #out: (text: string) => void;
  #usage = '';
  #command: Command | undefined;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  /** Collects the usage errors of this command, and of subcommands created later. */
  attach(command: Command): Command {
    const outputs = { writeOut: this.#out, writeErr: (text: string) => this.#keep(text), outputError: () => {} };
    return command.configureOutput(outputs).exitOverride((error) => {
      this.#command = command;
      throw error;
    });
  }

  #keep(text: string): void {
    this.#usage += text;
  }

  /** The help text that commander printed for a command without its subcommand. */
  get usage(): string {
    return this.#usage;
  }

  problem({ code, message }: CommanderError): ReinsError {
    const path = this.#command ? pathOf(this.#command) : 'reins';
    const help = `Show the usage with \`${path} --help\`.`;
    if (code === 'commander.help') return wrongUsage(`${path} needs a command`, help);
    if (code === 'commander.excessArguments' && this.#command?.name() === 'run')
      return wrongUsage(message.replace(/^error: /, ''), "Pass the input with `--input '<text>'`.");
    const [wrong = message, ...more] = message.replace(/^error: /, '').split('\n');
    return wrongUsage(wrong, more.join(' ').replace(/^\((.*)\)$/, '$1') || help);
  }
}
