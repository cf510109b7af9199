import { isReinsError, ReinsError } from '@reins/contracts';
import type { Command, CommanderError } from 'commander';
import { wrongUsage } from './arguments.ts';
import type { Action } from './commands/command.ts';
import { EXIT } from './exit-codes.ts';

/** A command and all below it. */
export const allCommands = (command: Command): Command[] => [command, ...command.commands.flatMap(allCommands)];

/** How a command is called: `reins dead show`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** `help [command...]`, of the program and of every group: commander's own looks one word deep. */
export function addHelp(program: Command, run: (action: Action) => Promise<void>): void {
  for (const group of allCommands(program).filter(({ commands }) => commands.length > 0))
    group
      .command('help [command...]')
      .description('what a command takes')
      .action((names: string[]) =>
        run(async () => {
          names.reduce(below, group).outputHelp();
          return EXIT.ok;
        }),
      );
}

/** @throws ReinsError `wrong_usage` where there is none of that name */
function below(group: Command, name: string): Command {
  const found = group.commands.find((command) => command.name() === name || command.aliases().includes(name));
  if (found) return found;
  throw wrongUsage(`unknown command '${name}'`, `\`${pathOf(group)} --help\` says what there is`);
}

/** A command line that is wrong in a way of its own is told with where to look, as what commander has against one is. */
export function withHint(error: unknown, command: Command | undefined): unknown {
  if (!command || !isReinsError(error)) return error;
  const hint = `\`${pathOf(command)} --help\` says what it takes`;
  const problems = error.problems.map((one) => (one.code === 'wrong_usage' ? { hint, ...one } : one));
  return new ReinsError(problems, { cause: error });
}

/** What commander has against a command line, told as any other error. */
export class UsageErrors {
  readonly #out: (text: string) => void;
  #usage = '';
  #command: Command | undefined;

  constructor(out: (text: string) => void) {
    this.#out = out;
  }

  /** Of this command; those that it makes from now on inherit it. */
  watch(command: Command): Command {
    const outputs = { writeOut: this.#out, writeErr: (text: string) => this.#keep(text), outputError: () => {} };
    return command.configureOutput(outputs).exitOverride((error) => {
      this.#command = command;
      throw error;
    });
  }

  #keep(text: string): void {
    this.#usage += text;
  }

  /** The usage of a command that is none by itself, for people. */
  get usage(): string {
    return this.#usage;
  }

  problem({ code, message }: CommanderError): ReinsError {
    const path = this.#command ? pathOf(this.#command) : 'reins';
    const help = `\`${path} --help\` says what there is`;
    if (code === 'commander.help') return wrongUsage(`${path} is no command by itself`, help);
    const [wrong = message, ...more] = message.replace(/^error: /, '').split('\n');
    return wrongUsage(wrong, more.join(' ').replace(/^\((.*)\)$/, '$1') || help);
  }
}
