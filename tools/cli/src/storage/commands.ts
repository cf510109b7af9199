import type { AddCommand } from '../command.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addStorage: AddCommand = (program, run) => {
  const storage = program.command('storage').description('Show what is stored, when it is removed, and why it is kept');
  storage
    .command('show')
    .description('Show the size of each store, when it is emptied, and what the last sweep removed')
    .action(() => run(async (context) => (await actions()).storageShow(context)));
  storage
    .command('why <id>')
    .description('Explain why a run (by its request id) or a blob (by its SHA-256) is kept')
    .action((id: string) => run(async (context) => (await actions()).storageWhy(context, id)));
};
