import { runProgram } from './program.ts';

/** The command line as a process runs it. Resolves with the exit code. */
export function main(args: readonly string[]): Promise<number> {
  return runProgram(args, {
    env: process.env,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}
