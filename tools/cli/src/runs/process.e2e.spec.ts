import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** The command line as people run it: what needs a module loader of its own. */
const REINS = fileURLToPath(new URL('../../bin/reins.mjs', import.meta.url));
const bench = new Workbench();
afterAll(() => rmSync(bench.root, { recursive: true, force: true }));

function reins(...args: string[]): Promise<{ exit: number; json: JsonObject }> {
  const env = { ...process.env, NODE_OPTIONS: '', BABYSITTER_RUNS_DIR: bench.runs };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [REINS, ...args, '--json'], { env, timeout: 240_000 }, (_, stdout) =>
      resolve({ exit: child.exitCode ?? -1, json: JSON.parse(stdout) as JsonObject }),
    );
  });
}

const ONE = (n: number) => `return { a: await ctx.task(step, { n: ${n} }) };`;

test('a process that was written for babysitter runs as it is; once it asks for something else, that is told and never answered', async () => {
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
