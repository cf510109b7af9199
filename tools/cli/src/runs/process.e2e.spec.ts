import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** Runs the CLI in a child process, for tests that need their own module loader. */
const REINS = fileURLToPath(new URL('../../bin/reins.mjs', import.meta.url));
const bench = await Workbench.make();
afterAll(() => rmSync(bench.root, { recursive: true, force: true }));

const reins = (...args: string[]): Promise<{ exit: number; json: JsonObject }> => given(Promise.resolve(''), ...args);

/** @param input the chunks of standard input, as they arrive */
function given(input: Promise<string>, ...args: string[]): Promise<{ exit: number; json: JsonObject }> {
  const env = { ...process.env, NODE_OPTIONS: '', BABYSITTER_RUNS_DIR: bench.runs };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [REINS, ...args, '--json'], { env, timeout: 240_000 }, (_, stdout) =>
      resolve({ exit: child.exitCode ?? -1, json: JSON.parse(stdout) as JsonObject }),
    );
    void input.then((text) => child.stdin?.end(text));
  });
}

const ONE = (n: number) => `return { a: await ctx.task(step, { n: ${n} }) };`;

test('a process written for babysitter runs unchanged; a divergence is reported and never resolved', async () => {
  const entry = bench.process('one', ONE(1));
  await reins('run:create', '--run-id', 'one', '--entry', entry);
  const { json } = await reins('run:iterate', 'one');
  expect(json).toMatchObject({ status: 'waiting', reason: 'node-pending' });
  const [{ effectId }] = json.nextActions as [{ effectId: string }];
  await reins('task:post', 'one', effectId, '--status', 'ok', '--value-inline', '1');
  bench.process('one', ONE(2));
  expect(await reins('replay', 'one')).toMatchObject({ exit: 1, json: { identical: false, divergence: { effectId } } });
  expect(await reins('run:iterate', 'one')).toMatchObject({
    exit: 1,
    json: {
      status: 'failed',
      reason: 'replay_nondeterminism',
      error: { code: 'replay_nondeterminism' },
      divergence: { effectId, expected: { request: { args: { n: 1 } } }, actual: { request: { args: { n: 2 } } } },
    },
  });
  bench.process('one', `ctx.log('other code, the same calls'); ${ONE(1)}`);
  const again = await reins('run:iterate', 'one');
  expect(again).toMatchObject({ exit: 0, json: { status: 'completed', output: { a: 1 } } });
  expect(again.json.warnings).toHaveLength(1);
  expect(await reins('replay', 'one', '--verify')).toMatchObject({
    exit: 0,
    json: { identical: true, verified: true },
  });
});

test('reads a large, delayed result from a pipe; reports it when it is lost', async () => {
  const entry = bench.process(
    'piped',
    'return (await ctx.task(step, { n: 1 })).text.length + (await ctx.task(step, { n: 2 }));',
  );
  await reins('run:create', '--run-id', 'piped', '--entry', entry);
  const { json } = await reins('run:iterate', 'piped');
  const [{ effectId }] = json.nextActions as [{ effectId: string }];
  const late = sleep(600).then(() => JSON.stringify({ text: 'x'.repeat(300_000) }));
  expect(await given(late, 'task:post', 'piped', effectId, '--status', 'ok', '--value', '-')).toMatchObject({
    exit: 0,
  });
  expect(await reins('run:iterate', 'piped')).toMatchObject({ exit: 0, json: { status: 'waiting' } });
  rmSync(join(bench.runs, 'piped', 'blobs'), { recursive: true });
  expect(await reins('run:iterate', 'piped')).toMatchObject({
    exit: 1,
    json: { error: { code: 'journal_corrupt', path: expect.stringMatching(/^blobs/) } },
  });
});
