import { Option } from 'commander';
import type { AddCommand } from '../command.ts';
import type { AddFlags, ListFlags, RecallFlags } from './actions.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const actions = () => import('./actions.ts');

const KINDS = ['fact', 'preference', 'procedure', 'episode', 'profile', 'session'];
const SENSITIVITIES = ['public', 'internal', 'personal'];
const STATUSES = ['active', 'superseded', 'forgotten', 'any'];

export const addMemory: AddCommand = (program, run) => {
  const memory = program.command('memory').description('Add, find, edit and forget what is remembered');
  memory
    .command('add <namespace> <text>')
    .description('Remember a text in a namespace, such as user/ann or workspace/quickstart')
    .addOption(new Option('--kind <kind>', 'Kind of the record').choices(KINDS).default('fact'))
    .option('--subject <text>', 'What or who the record is about')
    .option('--confidence <number>', 'How certain it is, from 0 to 1')
    .option('--valid-from <time>', 'Start of its validity, such as 2026-01-31T12:00:00Z')
    .option('--valid-until <time>', 'End of its validity')
    .option('--supersedes <record>', 'Record that it replaces')
    .addOption(new Option('--sensitivity <level>', 'How sensitive it is').choices(SENSITIVITIES))
    .action((namespace: string, text: string, flags: AddFlags) =>
      run(async (context) => (await actions()).add(context, namespace, text, flags)),
    );
  const filters = [
    new Option('--kind <kind>', 'Only records of this kind').choices(KINDS),
    new Option('--status <status>', 'Only records with this status').choices(STATUSES).default('active'),
    new Option('--limit <n>', 'Maximum number of records').default('20'),
    new Option('--cursor <cursor>', 'Continue after the previous page'),
  ];
  const list = memory
    .command('list [namespace]')
    .description('List records, newest first')
    .action((namespace: string | undefined, flags: ListFlags) =>
      run(async (context) =>
        (await actions()).list(context, { ...flags, ...(namespace !== undefined && { namespace }) }),
      ),
    );
  const search = memory
    .command('search <query>')
    .description('Search records by words, "phrases" and -excluded words')
    .option('--namespace <namespace>', 'Only records of this namespace')
    .action((query: string, flags: ListFlags) =>
      run(async (context) => (await actions()).list(context, { ...flags, query })),
    );
  for (const option of filters) for (const command of [list, search]) command.addOption(option);
  memory
    .command('recall <query>')
    .description('Recall the records that matter most for a query, best first')
    .requiredOption('--namespace <namespace...>', 'Namespaces to recall from')
    .option('--limit <n>', 'Maximum number of records', '8')
    .option('--explain', 'Show the signals that each score consists of')
    .action((query: string, flags: RecallFlags) =>
      run(async (context) => (await actions()).recall(context, query, flags)),
    );
  memory
    .command('show <record>')
    .description('Show a record with its source')
    .action((id: string) => run(async (context) => (await actions()).show(context, id)));
  memory
    .command('history <record>')
    .description('List all versions of a record, oldest first')
    .action((id: string) => run(async (context) => (await actions()).history(context, id)));
  memory
    .command('used <request>')
    .description('Show what a request recalled, and the recalls that failed')
    .action((id: string) => run(async (context) => (await actions()).used(context, id)));
  memory
    .command('edit <record> <text>')
    .description('Replace the text of a record; its history keeps the old one')
    .action((id: string, text: string) => run(async (context) => (await actions()).edit(context, id, text)));
  memory
    .command('forget <record>')
    .description('Forget a record with its earlier versions')
    .option('--reason <text>', 'Reason to record')
    .action((id: string, { reason }: { reason?: string }) =>
      run(async (context) => (await actions()).forget(context, id, reason)),
    );
  memory
    .command('rate <record>')
    .description('Rate a record as useful or useless, so that recalls prefer useful records')
    .option('--useless', 'Rate it as useless')
    .action((id: string, { useless }: { useless?: boolean }) =>
      run(async (context) => (await actions()).rate(context, id, useless !== true)),
    );
  memory
    .command('namespaces')
    .description('List the namespaces with the number of their records')
    .action(() => run(async (context) => (await actions()).namespaces(context)));
  memory
    .command('verify')
    .description('Compare the memory tables with the stream MEMORY')
    .action(() => run(async (context) => (await actions()).verify(context)));
  memory
    .command('rebuild')
    .description('Rebuild the memory tables from the stream MEMORY')
    .action(() => run(async (context) => (await actions()).rebuild(context)));
};
