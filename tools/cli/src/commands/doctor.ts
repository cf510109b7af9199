import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/doctor.ts');

export const addDoctor: AddCommand = (program, run) => {
  program
    .command('doctor')
    .description('what is well and what is not, what the installation promises, and which runtime each stage goes to')
    .action(() => run(async (context) => (await actions()).doctor(context)));
};
