import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/bus.ts');

export const addBusCommands: AddCommand = (program, run) => {
  program
    .command('tail [subject]')
    .description('what is published from now on: a subject such as "runtime.>", or a request id')
    .action((subject: string | undefined) => run(async (context) => (await actions()).tail(context, subject)));

  const dead = program.command('dead').description('messages that could not be handled');
  dead
    .command('list')
    .option('--stream <stream>', 'only those of this stream')
    .action(({ stream }: { stream?: string }) => run(async (context) => (await actions()).deadList(context, stream)));
  dead.command('show <seq>').action((seq: string) => run(async (context) => (await actions()).deadShow(context, seq)));
  dead
    .command('redrive <seq...>')
    .description('send them again under their first subjects')
    .action((seqs: string[]) => run(async (context) => (await actions()).deadRedrive(context, seqs)));

  const projections = program.command('projections').description('the read model');
  projections
    .command('verify')
    .description('compare the read model with the log')
    .action(() => run(async (context) => (await actions()).verify(context)));
  projections
    .command('rebuild')
    .description('make the read model anew from the log, while it is used')
    .action(() => run(async (context) => (await import('../actions/rebuild.ts')).rebuild(context)));

  const keys = program.command('keys').description('API keys');
  keys
    .command('create <name>')
    .action((name: string) => run(async (context) => (await actions()).createKey(context, name)));
  keys.command('list').action(() => run(async (context) => (await actions()).listKeys(context)));
  keys.command('revoke <id>').action((id: string) => run(async (context) => (await actions()).revokeKey(context, id)));
};
