import type { AddCommand } from '../command.ts';
import type { ExportFlags, ImportFlags, SignFlags, VerifyFlags } from './bundles.ts';
import { runsCommand } from './commands.ts';
import type { ForkFlags, ReplayFlags } from './flags.ts';

/** Imported when a command runs, so that the CLI starts quickly. */
const bundles = () => import('./bundles.ts');

/** Commands on recorded runs: replay, fork, and export, import, sign and verify journals. */
export const addReplay: AddCommand = (program, run) => {
  runsCommand(
    program,
    'replay <run>',
    'Replay the journal of a run through its process and compare every decision; writes nothing',
  )
    .option('--to <n>', 'Replay only the first n entries')
    .option('--verify', 'Also verify the files of the run')
    .action((id: string, flags: ReplayFlags) =>
      run(async (context) => (await import('./replay.ts')).replayCommand(context, id, flags)),
    );
  runsCommand(program, 'fork <run>', 'Create a run that shares the first entries of another run')
    .option('--at <place>', 'Number of entries to share, or the effect, stage or task before which the fork starts')
    .option('--input <file|json>', 'Replace the inputs')
    .option('--run-id <id>', 'Id of the new run; run directories only (default: generated)')
    .option('--model <provider/model>', 'Replace the model; requests only')
    .option(
      '--stage <stage=runtime>',
      'Replace the runtime of a stage; requests only; repeatable',
      (value, list: string[]) => [...list, value],
      [],
    )
    .option('--detach', 'Return as soon as the fork is accepted; requests only')
    .action((id: string, flags: ForkFlags) =>
      run(async (context) => (await import('./change.ts')).forkCommand(context, id, flags)),
    );
  const journal = program.command('journal').description('Export, import, sign and verify journals as files');
  runsCommand(journal, 'export <run>', 'Export the journal of a run as a bundle')
    .option('-o, --output <file>', 'Output file (default: <run>.journal.json)')
    .action((id: string, flags: ExportFlags) =>
      run(async (context) => (await bundles()).exportCommand(context, id, flags)),
    );
  runsCommand(journal, 'import <bundle>', 'Create a run directory from a bundle')
    .option(
      '--use-local-code',
      'Use the module at the path of the process, even if the journal recorded different code',
    )
    .action((file: string, flags: ImportFlags) =>
      run(async (context) => (await bundles()).importCommand(context, file, flags)),
    );
  journal
    .command('sign <bundle>')
    .description('Sign the head of a journal with an Ed25519 key')
    .option('--key <file>', 'Private key, as PEM')
    .option('-o, --output <file>', 'Output file (default: <bundle>.sig)')
    .action((file: string, flags: SignFlags) =>
      run(async (context) => (await bundles()).signCommand(context, file, flags)),
    );
  journal
    .command('verify-signature <bundle>')
    .description('Verify the signature of a journal; needs no running system')
    .option('--signature <file>', 'Signature file (default: <bundle>.sig)')
    .option('--public-key <file>', 'Trusted public key, as PEM')
    .action((file: string, flags: VerifyFlags) =>
      run(async (context) => (await bundles()).verifyCommand(context, file, flags)),
    );
};
