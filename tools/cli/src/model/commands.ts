import type { AddCommand } from '../command.ts';
import type { ScriptFlags } from './script.ts';

export const addModel: AddCommand = (program, run) => {
  const model = program.command('model').description('Control the built-in scripted model');
  model
    .command('script [file]')
    .description('Show or replace the script of the scripted model; a running system uses it at once')
    .option('--call <tool>', 'Use a script that calls this tool in the stage execute')
    .option('--args <json>', 'Arguments of the call, as a JSON object (default: {})')
    .option('--reset', 'Use the built-in script again')
    .action((file: string | undefined, flags: ScriptFlags) =>
      run(async (context) => (await import('./script.ts')).modelScript(context, file, flags)),
    );
};
