import type { RunFlags } from '../actions/run.ts';
import type { AddCommand } from './command.ts';

export const addRun: AddCommand = (program, run) => {
  program
    .command('run <dir>')
    .description('submit a workspace folder with an input, and follow the run')
    .option('-i, --input <text>', 'what is to be done')
    .option('-f, --file <file>', 'read the input from a file; - is standard input')
    .option('--inputs <json>', 'the input as JSON, or a file that holds it: for a process of the workspace')
    .option('--workspace <id>', 'workspace id (default: the name of the folder)')
    .option(
      '--process <id>',
      'what drives it, in place of what the workspace says; bare-run: it waits for run:assign-process',
    )
    .option('--session <id>', 'the conversation that the request belongs to')
    .option('--model <model>', 'provider/model, for this request')
    .option('--thinking <value>', 'thinking value, handed on to the executor')
    .option(
      '--stage <stage=runtime>',
      'the runtime of one stage, for this request',
      (value, list: string[]) => [...list, value],
      [],
    )
    .option(
      '--events <types...>',
      'show these events, or patterns (`runtime.tool.*`, `*`), and not what the workspace says',
    )
    .option('--detach', 'return as soon as the request is accepted')
    .action((dir: string, flags: RunFlags) =>
      run(async (context) => (await import('../actions/run.ts')).runCommand(context, dir, flags)),
    );
};
