import { expect, test } from '@jest/globals';
import { SimulatedRun } from '../../testing/simulated-run.ts';

/** A run whose stage waits for its host, out of memory. */
async function waiting(): Promise<SimulatedRun> {
  const run = new SimulatedRun();
  await run.submit();
  await run.plan(['execute']);
  await run.prepare();
  run.leaveMemory();
  return run;
}

test('an owner does not repeat the facts of a run that it loads again', async () => {
  const run = await waiting();
  await run.send('command.run.pause', { idempotencyKey: 'p' });
  expect(run.repeated).toEqual([]);
  expect(run.types).toContain('runtime.request.waiting');
});

test('the next owner repeats the facts of the last commit', async () => {
  const run = await waiting();
  const last = run.published.at(-1);
  run.crash();
  await run.send('command.run.pause', { idempotencyKey: 'p' });
  expect(run.repeated).toContain(last?.id);
});

test('an owner repeats the facts of a commit that it could not publish', async () => {
  const run = await waiting();
  run.crashAt = 'publish';
  await expect(run.send('command.run.pause', { idempotencyKey: 'p' })).rejects.toThrow('publish');
  run.leaveMemory();
  await run.send('command.run.resume', { idempotencyKey: 'r' });
  expect(run.types).toEqual(expect.arrayContaining(['runtime.request.waiting', 'runtime.request.resumed']));
});
