import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const MAIN = new URL('../dist/main.js', import.meta.url).pathname;
const SEEDS = 10_000;
/** It takes about 100 seconds on two otherwise idle cores. */
const MOST_MS = 180_000;

/** The output names each failed seed and the command that repeats it. */
test(
  'ten thousand seeds have no violations, within three minutes',
  async () => {
    const args = [MAIN, '--seeds', String(SEEDS), '--threads', '2'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { readonly stdout: string }) => error,
    );
    expect(stdout).toMatch(new RegExp(`^${SEEDS} seeds .*: 0 failed\n$`));
  },
  MOST_MS,
);
