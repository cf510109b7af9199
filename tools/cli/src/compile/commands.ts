import { wrongUsage } from '../arguments.ts';
import type { AddCommand } from '../command.ts';

interface CompileFlags {
  readonly watch?: boolean;
  readonly batch?: boolean;
  readonly probe?: boolean;
}

export const addCompile: AddCommand = (program, run) => {
  program
    .command('compile [dir]')
    .description('Compile a workspace folder and list every problem; needs no running system')
    .option('--watch', 'Compile again after every change, until Ctrl-C')
    .option('--batch', 'Compile one workspace per line of a file or of standard input; print one result per line')
    .option('--probe', 'Start the MCP servers and applications, and compare their tools with the workspace')
    .action((dir: string | undefined, { watch, batch, probe }: CompileFlags) =>
      run(async (context) => {
        if (batch && watch) throw wrongUsage('--batch and --watch cannot be combined');
        if (probe && (batch || watch))
          throw wrongUsage(`--probe and --${batch ? 'batch' : 'watch'} cannot be combined`);
        if (batch) return (await import('./batch.ts')).compileBatch(context, dir ?? '-');
        if (dir === undefined) throw wrongUsage('the workspace folder is missing');
        if (watch) return (await import('./watch.ts')).compileWatch(context, dir);
        return (await import('./actions.ts')).compile(context, dir, { probe: probe === true });
      }),
    );
  program
    .command('workspace-runtime-plan [operation]')
    .description('Run one operation (compile or collect-references) and print one line of JSON')
    .option('--request-base64 <json>', 'The request {workspace_id, workspace_yaml, references} as base64-encoded JSON')
    .action((operation: string | undefined, { requestBase64 }: { requestBase64?: string }) =>
      run(async (context) => (await import('./contract-files.ts')).planContract(context, operation, requestBase64)),
    );
};
