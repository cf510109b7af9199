import { ReinsError } from '@reins/contracts';
import { stoppingParts, stopSystem } from '@reins/supervisor';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { durationText } from '../output/run-lines.ts';
import { Silence } from '../run/silence.ts';

/** `reins down`: stops the system of the state folder, and waits for its end. Says what it waits for. */
export async function down(context: CliContext): Promise<ExitCode> {
  const { stateDir } = context;
  const since = performance.now();
  const silence = new Silence(async () => {
    const parts = await stoppingParts(stateDir);
    const what = parts.length === 0 ? 'the system' : parts.join(', ');
    context.note(`waiting for ${what} to stop (${durationText(performance.now() - since)})`);
  });
  const pid = await stopSystem(stateDir).finally(() => silence.end());
  if (pid === undefined) {
    throw new ReinsError({
      code: 'service_unavailable',
      message: 'no system is running from the state folder',
      path: stateDir,
      hint: 'Name another state folder with --state-dir.',
    });
  }
  if (context.json) printJson(context, { pid, status: 'stopped' });
  else context.note(`stopped (process ${pid})`);
  return EXIT.ok;
}
