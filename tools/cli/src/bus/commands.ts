import type { AddCommand } from '../command.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

export const addBusCommands: AddCommand = (program, run) => {
  program
    .command('tail [subject]')
    .description('Print the messages of a subject (such as "runtime.>") or of a request as they are published')
    .action((subject: string | undefined) => run(async (context) => (await actions()).tail(context, subject)));

  const dead = program
    .command('dead')
    .description('Inspect, redrive and discard dead letters: messages that could not be handled');
  dead
    .command('list')
    .description('List dead letters')
    .option('--stream <stream>', 'Only dead letters of this stream')
    .action(({ stream }: { stream?: string }) => run(async (context) => (await actions()).deadList(context, stream)));
  dead
    .command('show <seq>')
    .description('Show a dead letter with its body')
    .action((seq: string) => run(async (context) => (await actions()).deadShow(context, seq)));
  dead
    .command('redrive <seq...>')
    .description('Publish dead letters again to their original subjects')
    .action((seqs: string[]) => run(async (context) => (await actions()).deadRedrive(context, seqs)));
  dead
    .command('discard <seq...>')
    .description('Remove dead letters without publishing them again')
    .action((seqs: string[]) => run(async (context) => (await actions()).deadDiscard(context, seqs)));

  const projections = program.command('projections').description('Verify and rebuild the read model');
  projections
    .command('verify')
    .description('Compare the read model with the event log')
    .action(() => run(async (context) => (await actions()).verify(context)));
  projections
    .command('rebuild')
    .description('Rebuild the read model from the event log while it stays in use')
    .action(() => run(async (context) => (await import('./rebuild.ts')).rebuild(context)));

  const keys = program.command('keys').description('Manage API keys');
  keys
    .command('create <name>')
    .description('Create an API key')
    .action((name: string) => run(async (context) => (await actions()).createKey(context, name)));
  keys
    .command('list')
    .description('List API keys')
    .action(() => run(async (context) => (await actions()).listKeys(context)));
  keys
    .command('revoke <id>')
    .description('Revoke an API key')
    .action((id: string) => run(async (context) => (await actions()).revokeKey(context, id)));
};
