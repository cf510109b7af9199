import type { AddCommand } from '../command.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addHarness: AddCommand = (program, run) => {
  const harness = program.command('harness').description('Install and check the executables of runtimes');
  harness
    .command('list')
    .description('List the runtimes and their installed executables')
    .action(() => run(async (context) => (await actions()).listHarnesses(context)));
  harness
    .command('install <runtime>')
    .description('Install the executable of a runtime: <runtime> or <runtime>@<version>')
    .action((name: string) => run(async (context) => (await actions()).installHarness(context, name)));
  harness
    .command('probe [runtime...]')
    .description('Check that runtimes can run stages on this machine')
    .action((names: string[]) => run(async (context) => (await actions()).probeHarnesses(context, names)));
  harness
    .command('remove <runtime>')
    .description('Remove the installed executable of a runtime')
    .action((name: string) => run(async (context) => (await actions()).removeHarness(context, name)));
};
