import type { ReplayFlags } from '../actions/replay-request.ts';
import type { StageSelector } from '../actions/snapshot.ts';
import type { AddCommand } from './command.ts';

/** Loaded when one of them is used: a command line starts at once. */
const actions = () => import('../actions/snapshot.ts');

export const addSnapshot: AddCommand = (program, run) => {
  const snapshot = program.command('snapshot').description('what was sent to harnesses, without secrets');
  snapshot
    .command('show <request>')
    .description('what the last stage of a request was sent')
    .option('--stage <stage>', 'of this stage')
    .option('--iteration <n>', 'in this iteration')
    .action((id: string, which: StageSelector) => run(async (context) => (await actions()).show(context, id, which)));
  snapshot
    .command('diff <a> <b>')
    .description('where two snapshots differ; each is <request>[:<stage>[:<iteration>]]')
    .action((a: string, b: string) => run(async (context) => (await actions()).diff(context, a, b)));
  program
    .command('replay-request <request>')
    .description('do a stage of a request again on a runtime, from the same tree and words, as a request of its own')
    .requiredOption('--runtime <runtime>', 'the runtime')
    .option('--stage <stage>', 'the stage (default: the last one that was prepared)')
    .option('--iteration <n>', 'in this iteration')
    .option('--detach', 'return as soon as the request is accepted')
    .action((id: string, flags: ReplayFlags) =>
      run(async (context) => (await import('../actions/replay-request.ts')).replayRequest(context, id, flags)),
    );
};
