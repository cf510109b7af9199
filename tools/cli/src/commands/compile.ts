import { wrongUsage } from '../arguments.ts';
import type { AddCommand } from './command.ts';

interface CompileFlags {
  readonly watch?: boolean;
  readonly batch?: boolean;
}

export const addCompile: AddCommand = (program, run) => {
  program
    .command('compile [dir]')
    .description('compile a workspace folder and say all that is wrong with it; needs no system')
    .option('--watch', 'again on every change, until Ctrl-C')
    .option('--batch', 'one workspace a line from the file that is given, or from standard input; one answer a line')
    .action((dir: string | undefined, { watch, batch }: CompileFlags) =>
      run(async (context) => {
        if (batch && watch) throw wrongUsage('--batch and --watch exclude each other');
        if (batch) return (await import('../actions/compile-batch.ts')).compileBatch(context, dir ?? '-');
        if (dir === undefined) throw wrongUsage('name the folder of the workspace');
        if (watch) return (await import('../actions/compile-watch.ts')).compileWatch(context, dir);
        return (await import('../actions/compile.ts')).compile(context, dir);
      }),
    );
  program
    .command('workspace-runtime-plan [operation]')
    .description('compile | collect-references: one request on the command line, one line of JSON as its answer')
    .option('--request-base64 <json>', 'the request {workspace_id, workspace_yaml, references}, in base64')
    .action((operation: string | undefined, { requestBase64 }: { requestBase64?: string }) =>
      run(async (context) =>
        (await import('../actions/compile-contract.ts')).planContract(context, operation, requestBase64),
      ),
    );
};
