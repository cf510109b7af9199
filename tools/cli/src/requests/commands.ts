import { Option } from 'commander';
import type { AddCommand } from '../command.ts';
import type { ListFlags } from './actions.ts';
import { addApprovals, addRequestControl } from './control-commands.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

const STATUSES = ['running', 'waiting', 'completed', 'halted', 'failed', 'cancelled'];

export const addRequests: AddCommand = (program, run) => {
  const requests = program.command('requests').description('List, show and control requests');
  requests
    .command('list')
    .description('List the newest requests')
    .option('--limit <n>', 'Maximum number of requests', '20')
    .option('--workspace <id>', 'Only requests of this workspace')
    .option('--session <id>', 'Only requests of this session')
    .addOption(new Option('--status <status>', 'Only requests with this status').choices(STATUSES))
    .option('--watch', 'Refresh every two seconds until Ctrl-C')
    .action((flags: ListFlags) => run(async (context) => (await actions()).list(context, flags)));
  requests
    .command('show <request>')
    .description('Show the status, stages, files and output of a request')
    .action((id: string) => run(async (context) => (await actions()).show(context, id)));
  requests
    .command('events <request>')
    .description('Print the events of a request until it ends')
    .action((id: string) => run(async (context) => (await actions()).events(context, id)));
  requests
    .command('cancel <request>')
    .description('Cancel a request')
    .option('--reason <text>', 'Reason to record')
    .action((id: string, { reason }: { reason?: string }) =>
      run(async (context) => (await actions()).cancel(context, id, reason)),
    );
  requests
    .command('retry <request>')
    .description('Retry an ended request as a new request')
    .option('--from <stage>', 'Repeat only this stage and what follows, from the tree before the stage')
    .action((id: string, { from }: { from?: string }) =>
      run(async (context) => (await actions()).retry(context, id, from)),
    );
  addRequestControl(requests, run);
  addApprovals(program, run);
  program
    .command('stages <request>')
    .description('Show which runtime ran each stage of a request')
    .action((id: string) => run(async (context) => (await actions()).stages(context, id)));
  program
    .command('agent-processes [request]')
    .description('List which runtime ran which stage and where, newest first')
    .option('--limit <n>', 'Maximum number of stage runs', '20')
    .action((id: string | undefined, { limit }: { limit: string }) =>
      run(async (context) => (await actions()).agentProcesses(context, id, limit)),
    );
};
