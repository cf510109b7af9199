import type { AddCommand } from '../command.ts';
import type { ShowFlags } from './actions.ts';
import type { ReplayFlags } from './replay-request.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addSnapshot: AddCommand = (program, run) => {
  const snapshot = program
    .command('snapshot')
    .description('Show and compare the input of prepared stages, with secrets redacted');
  snapshot
    .command('show <request>')
    .description('Show what the harness gets for the last prepared stage of a request')
    .option('--stage <stage>', 'Stage to show')
    .option('--iteration <n>', 'Iteration of the stage')
    .option('--full', 'Print the whole snapshot as JSON')
    .action((id: string, selector: ShowFlags) => run(async (context) => (await actions()).show(context, id, selector)));
  snapshot
    .command('diff <a> <b>')
    .description('Compare two snapshots; each is <request>[:<stage>[:<iteration>]]')
    .action((a: string, b: string) => run(async (context) => (await actions()).diff(context, a, b)));
  program
    .command('replay-request <request>')
    .description('Repeat a stage of a request on another runtime, with the same files and input, as a new request')
    .requiredOption('--runtime <runtime>', 'Runtime to use')
    .option('--stage <stage>', 'Stage to run (default: the last prepared one)')
    .option('--iteration <n>', 'Iteration of the stage')
    .option('--detach', 'Return as soon as the request is accepted')
    .action((id: string, flags: ReplayFlags) =>
      run(async (context) => (await import('./replay-request.ts')).replayRequest(context, id, flags)),
    );
};
