import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { RUN_TOKEN } from '@reins/harness';
import { identityOf } from '@reins/service-kit/folders';
import { newRunToken, sweepOrphans } from './run-token.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts a process with a token in its own session. */
async function startProcess(token: string): Promise<ChildProcess> {
  const child = spawn('sleep', ['300'], { env: { PATH: process.env.PATH, [RUN_TOKEN]: token }, detached: true });
  children.push(child);
  await once(child, 'spawn');
  return child;
}

test('kills only the processes of hosts that no longer run', async () => {
  const orphaned = await startProcess(newRunToken('999999999-1'));
  const recycled = await startProcess(newRunToken(`${process.pid}-1`));
  const ours = await startProcess(newRunToken(await identityOf(process.pid)));
  const foreign = await startProcess('0b5f7f0e-11c4-4f5e-9d3c-8a1f6a0d2f11');
  const ended = [once(orphaned, 'exit'), once(recycled, 'exit')];
  // Any other host that starts on this machine may be faster, so the result does not have to name them.
  await sweepOrphans();
  expect(await Promise.all(ended)).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ]);
  expect([ours, foreign].map(({ exitCode, signalCode }) => [exitCode, signalCode])).toEqual([
    [null, null],
    [null, null],
  ]);
});
