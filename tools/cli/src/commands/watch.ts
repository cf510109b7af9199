import type { AddCommand } from './command.ts';

export const addWatch: AddCommand = (program, run) => {
  program
    .command('why <request> [event]')
    .description('the chain of causes of its end, of what it waits for, or of one event')
    .action((request: string, event: string | undefined) =>
      run(async (context) => (await import('../actions/why.ts')).why(context, request, event)),
    );
  program
    .command('top')
    .description('live runs, pools of hosts, queues and lag, until Ctrl-C')
    .option('--once', 'one look')
    .action(({ once }: { once?: boolean }) =>
      run(async (context) => (await import('../actions/top.ts')).top(context, once === true)),
    );
};
