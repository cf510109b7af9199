import type { AddCommand } from './command.ts';
import { addApprovals, addRequestControl } from './request-control.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/requests.ts');

export const addRequests: AddCommand = (program, run) => {
  const requests = program.command('requests').description('requests and their runs');
  requests
    .command('list')
    .description('the newest requests')
    .option('--limit <n>', 'how many', '20')
    .action(({ limit }: { limit: string }) => run(async (context) => (await actions()).list(context, limit)));
  requests
    .command('show <request>')
    .description('state, stages, files and answer of a request')
    .action((id: string) => run(async (context) => (await actions()).show(context, id)));
  requests
    .command('events <request>')
    .description('the events of a request; of one that runs, until it ends')
    .action((id: string) => run(async (context) => (await actions()).events(context, id)));
  requests
    .command('cancel <request>')
    .description('end a request')
    .option('--reason <text>', 'why')
    .action((id: string, { reason }: { reason?: string }) =>
      run(async (context) => (await actions()).cancel(context, id, reason)),
    );
  addRequestControl(requests, run);
  addApprovals(program, run);
  program
    .command('stages <request>')
    .description('which runtime ran which stage')
    .action((id: string) => run(async (context) => (await actions()).stages(context, id)));
};
