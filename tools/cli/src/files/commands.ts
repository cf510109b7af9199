import type { AddCommand } from '../command.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addFiles: AddCommand = (program, run) => {
  program
    .command('checkout <request> <dir>')
    .description('Write the files of a request into a folder')
    .option('--stage <stage>', 'Use the files as they were after this stage')
    .action((id: string, dir: string, { stage }: { stage?: string }) =>
      run(async (context) => (await actions()).checkout(context, id, dir, stage)),
    );
  program
    .command('diff <request> [other]')
    .description('List the files that a request changed, or compare two runs')
    .action((id: string, other: string | undefined) =>
      run(async (context) => {
        const { diffCommand, diffRuns } = await import('../runs/diff.ts');
        return other === undefined ? diffCommand(context, id) : diffRuns(context, id, other);
      }),
    );
};
