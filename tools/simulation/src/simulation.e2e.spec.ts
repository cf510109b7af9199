import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { REPEATS } from '@reins/testing';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;
/** Forty times what a seed takes on two quiet cores: only processors count here, and other work may need them. */
const LIMIT_MS = 60_000 + REPEATS.seeds * 1_000;

test(
  `${REPEATS.seeds} seeds break no promise`,
  async () => {
    const args = [MAIN, '--seeds', String(REPEATS.seeds), '--threads', '2'];
    // The output names each seed that failed, and the command that runs it again.
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toMatch(new RegExp(`^${REPEATS.seeds} seeds .*: 0 failed\n$`));
  },
  LIMIT_MS,
);
