import type { AddCommand } from '../command.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addDoctor: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('Check the installation, its durability, and which runtime each stage uses')
    .option('--deep', 'Compare every journal with its facts, its session and its row in Postgres')
    .action((options: { readonly deep?: boolean }) =>
      run(async (context) => (await actions()).doctor(context, options.deep ?? false)),
    );
};
