import { once } from 'node:events';
import { userInfo } from 'node:os';
import { defined } from '@reins/contracts';
import { runProgram } from './program.ts';

/** Runs the CLI on the streams of this process. Resolves with the exit code. */
export function main(args: readonly string[]): Promise<number> {
  // A reader such as `head` may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return runProgram(args, {
    env: process.env,
    ...defined({ script: process.argv[1], account: accountName() }),
    out: (text) => process.stdout.write(text),
    drained: outputDrained,
    err: (text) => process.stderr.write(text),
  });
}

/** The account of the operating system; undefined for one without a name, as in some containers. */
function accountName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

async function outputDrained(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}
