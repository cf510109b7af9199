import { once } from 'node:events';
import { runProgram } from './program.ts';

/** The command line as a process runs it. Resolves with the exit code. */
export function main(args: readonly string[]): Promise<number> {
  // who reads only the first lines has what they wanted
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  return runProgram(args, {
    env: process.env,
    out: (text) => process.stdout.write(text),
    taken: outputTaken,
    err: (text) => process.stderr.write(text),
  });
}

async function outputTaken(): Promise<void> {
  if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
}
