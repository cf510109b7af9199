import type { ExportFlags, ImportFlags, SignFlags, VerifyFlags } from '../runs/bundles.ts';
import type { ForkFlags } from '../runs/fork.ts';
import type { ReplayFlags } from '../runs/replay-result.ts';
import type { AddCommand } from './command.ts';
import { runsCommand } from './runs.ts';

/** Loaded when one of them is used: a command line starts at once. */
const bundles = () => import('../runs/bundles.ts');

/** What can be done with a recorded run: replay it, fork it, carry its journal elsewhere. */
export const addReplay: AddCommand = (program, run) => {
  runsCommand(program, 'replay <run>', 'run the process over its journal and compare every decision; writes nothing')
    .option('--to <n>', 'only the first n entries')
    .option('--verify', 'verify the files of the run too')
    .action((id: string, flags: ReplayFlags) =>
      run(async (context) => (await import('../runs/replay.ts')).replayCommand(context, id, flags)),
    );
  runsCommand(program, 'fork <run>', 'a new run that shares the first entries of another one')
    .option('--at <n>', 'how many entries are shared')
    .option('--input <file|json>', 'other inputs')
    .option('--run-id <id>', 'of a run directory: the id of the new run (default: a new one)')
    .option('--model <provider/model>', 'of a request: another model')
    .option(
      '--stage <stage=runtime>',
      'of a request: the runtime of one stage; may be given several times',
      (value, list: string[]) => [...list, value],
      [],
    )
    .action((id: string, flags: ForkFlags) =>
      run(async (context) => (await import('../runs/fork.ts')).forkCommand(context, id, flags)),
    );
  const journal = program.command('journal').description('journals as files: to be kept, sent, signed and verified');
  runsCommand(journal, 'export <run>', 'write the journal of a run as a bundle')
    .option('-o, --output <file>', 'where to (default: <run>.journal.json)')
    .action((id: string, flags: ExportFlags) =>
      run(async (context) => (await bundles()).exportCommand(context, id, flags)),
    );
  runsCommand(journal, 'import <bundle>', 'make a run directory from a bundle').action(
    (file: string, flags: ImportFlags) => run(async (context) => (await bundles()).importCommand(context, file, flags)),
  );
  journal
    .command('sign <bundle>')
    .description('sign the end of the journal with an Ed25519 key')
    .option('--key <file>', 'the private key, as PEM')
    .option('-o, --output <file>', 'where to (default: <bundle>.sig)')
    .action((file: string, flags: SignFlags) =>
      run(async (context) => (await bundles()).signCommand(context, file, flags)),
    );
  journal
    .command('verify-signature <bundle>')
    .description('whether a signature stands for this journal; needs no system')
    .option('--signature <file>', 'the signature (default: <bundle>.sig)')
    .option('--public-key <file>', 'the key that must have signed, as PEM')
    .action((file: string, flags: VerifyFlags) =>
      run(async (context) => (await bundles()).verifyCommand(context, file, flags)),
    );
};
