import type { AddCommand } from '../command.ts';

export const addWatch: AddCommand = (program, run) => {
  program
    .command('why <request> [event]')
    .description('Explain how a request ended, what it waits for, or one of its events')
    .action((request: string, event: string | undefined) =>
      run(async (context) => (await import('../why/actions.ts')).why(context, request, event)),
    );
  program
    .command('top')
    .description('Show live runs, harness pools, queues and lag until Ctrl-C')
    .option('--once', 'Print once and exit')
    .action(({ once }: { once?: boolean }) =>
      run(async (context) => (await import('./actions.ts')).top(context, once === true)),
    );
};
