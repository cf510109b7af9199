import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/files.ts');

export const addFiles: AddCommand = (program, run) => {
  program
    .command('checkout <request> <dir>')
    .description('write the files that a request ended with into a folder')
    .option('--stage <stage>', 'those that this stage ended with')
    .action((id: string, dir: string, { stage }: { stage?: string }) =>
      run(async (context) => (await actions()).checkout(context, id, dir, stage)),
    );
  program
    .command('diff <request> [other]')
    .description('the files that a request changed; of two run directories, what the second has otherwise')
    .action((id: string, other: string | undefined) =>
      run(async (context) =>
        other === undefined
          ? (await actions()).diffCommand(context, id)
          : (await import('../runs/diff.ts')).diffRuns(context, id, other),
      ),
    );
};
