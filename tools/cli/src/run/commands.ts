import type { AddCommand } from '../command.ts';
import type { RunFlags } from './actions.ts';

export const addRun: AddCommand = (program, run) => {
  program
    .command('run <dir>')
    .description('Submit a workspace folder with an input and follow the run')
    .option('-i, --input <text>', 'Input as text')
    .option('-f, --file <file>', 'Input from a file; - reads standard input')
    .option('--inputs <json>', 'Input of a workspace process: JSON text or the path of a JSON file')
    .option('--workspace <id>', 'Workspace id (default: the folder name)')
    .option(
      '--process <id>',
      'Process to run instead of the one in the workspace; bare-run waits for run:assign-process',
    )
    .option('--session <id>', 'Session of the request (default: a new one)')
    .option('--agent <id>', 'Agent of the workspace that handles the request (default: its default agent)')
    .option('--model <model>', 'Model of this request, as provider/model')
    .option('--thinking <value>', 'Thinking level: off, minimal, low, medium, high, xhigh, or a number of tokens')
    .option(
      '--stage <stage=runtime>',
      'Runtime of a stage, for this request; repeatable',
      (value, list: string[]) => [...list, value],
      [],
    )
    .option(
      '--events <types...>',
      'Event types or patterns to show (`runtime.tool.*`, `*`), instead of those that the workspace selects',
    )
    .option('--detach', 'Return as soon as the request is accepted')
    .action((dir: string, flags: RunFlags) =>
      run(async (context) => (await import('./actions.ts')).runCommand(context, dir, flags)),
    );
};
