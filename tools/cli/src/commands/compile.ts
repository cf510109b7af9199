import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/compile.ts');

export const addCompile: AddCommand = (program, run) => {
  program
    .command('compile <dir>')
    .description('compile a workspace folder and say all that is wrong with it; needs no system')
    .action((dir: string) => run(async (context) => (await actions()).compile(context, dir)));
};
