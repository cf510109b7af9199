import { ReinsError } from '@reins/contracts';
import { stopSystem } from '@reins/supervisor';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';

/** `reins down`: stops the system of the state folder, and waits for its end. */
export async function down(context: CliContext): Promise<ExitCode> {
  const { stateDir } = context;
  const pid = await stopSystem(stateDir);
  if (pid === undefined) {
    throw new ReinsError({
      code: 'service_unavailable',
      message: 'no system runs in the state folder',
      path: stateDir,
      hint: 'Name another state folder with --state-dir.',
    });
  }
  if (context.json) printJson(context, { pid, status: 'stopped' });
  else context.note(`stopped (process ${pid})`);
  return EXIT.ok;
}
