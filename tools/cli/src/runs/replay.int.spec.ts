import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Workbench } from './testing/command-line.ts';

const bench = await Workbench.make();
afterAll(() => bench.remove());

const post = async (id: string, value: string) => {
  const { tasks } = await bench.json(['task:list', id, '--pending']);
  const [{ effectId }] = tasks as [{ effectId: string }];
  await bench.json(['task:post', id, effectId, '--status', 'ok', '--value-inline', value]);
};

describe('replay of a run that continued as new', () => {
  const BODY = `
  await ctx.task(step, { n: inputs.n });
  if (inputs.n === 0) ctx.continueAsNew({ n: 1 });
  await ctx.breakpoint({ question: 'Halt?' });
  ctx.halt('one', { a: 1 });`;
  let entry: string;
  beforeAll(async () => {
    entry = bench.process('rounds', BODY);
    await bench.json(['run:create', '--run-id', 'rounds', '--entry', entry, '--inputs', '{"n":0}']);
    await bench.json(['run:iterate', 'rounds']);
    for (const answer of ['1', '2', '{"approved":true}']) {
      await post('rounds', answer);
      await bench.reins(['run:iterate', 'rounds']);
    }
  });

  test('refuses to invalidate an effect from before the restart', async () => {
    await bench.json(['run:create', '--run-id', 'again', '--entry', entry, '--inputs', '{"n":0}']);
    await bench.json(['run:iterate', 'again']);
    const [{ effectId }] = (await bench.json(['task:list', 'again'])).tasks as [{ effectId: string }];
    await post('again', '1');
    await bench.json(['run:iterate', 'again']);
    expect(await bench.reins(['task:invalidate', 'again', effectId])).toMatchObject({
      exit: 1,
      json: {
        error: {
          code: 'effect_superseded',
          path: effectId,
          message: expect.stringMatching(/entry 2, before .* entry 5/),
        },
      },
    });
  });

  test('compares every decision since the first start', async () => {
    expect(await bench.json(['replay', 'rounds'])).toMatchObject({ decisions: 5, identical: true, standing: 'halted' });
  });

  test.each([
    ['{ n: inputs.n }', '{ m: 1 }', 'EFFECT_REQUESTED', 2],
    ['{ n: 1 }', '{ n: 2 }', 'PROCESS_ASSIGNED', 5],
    ["'one', { a: 1 }", "'one', { a: 2 }", 'RUN_HALTED', 10],
    ["ctx.halt('one', { a: 1 })", 'return 42', 'RUN_HALTED', 10],
  ])('diverges with other code for %s', async (from, to, type, version) => {
    const source = bench.process('rounds', BODY);
    writeFileSync(source, readFileSync(source, 'utf8').replace(from, to));
    // This process imports a module only once.
    const { exit, out } = await bench.forPeople(['replay', 'rounds', '--json'], {}, false);
    bench.process('rounds', BODY);
    expect([exit, JSON.parse(out)]).toMatchObject([
      1,
      { identical: false, divergence: { version, expected: { type } } },
    ]);
  });
});

test('replay reports the status of run:status, and the outcome of the outstanding decisions', async () => {
  const entry = bench.process(
    'statuses',
    "await ctx.task(step, { n: 1 }); await Promise.all([ctx.task(step, { n: 2 }), ctx.breakpoint({ question: '?' })]); throw new Error('no');",
  );
  await bench.json(['run:create', '--run-id', 'statuses', '--entry', entry]);
  const statuses = async () => {
    const { state: shown } = await bench.json(['run:status', 'statuses']);
    const { state, standing } = (await bench.json(['replay', 'statuses'])) as {
      state: { status: string };
      standing: string;
    };
    expect(state.status).toBe(shown);
    return [
      state.status,
      standing,
      (await bench.forPeople(['replay', 'statuses'])).out.replace(/^.*; the run is /, '').trim(),
    ];
  };
  expect(await statuses()).toEqual(['created', 'waiting', 'created; after 1 more entry: waiting']);
  await bench.json(['run:iterate', 'statuses']);
  await post('statuses', '1');
  await bench.json(['run:iterate', 'statuses']);
  expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
  await post('statuses', '2');
  expect(await statuses()).toEqual(['waiting', 'waiting', 'waiting']);
  await post('statuses', '{"approved":true}');
  expect(await statuses()).toEqual(['created', 'failed', 'created; after 1 more entry: failed']);
  await bench.reins(['run:iterate', 'statuses']);
  expect(await statuses()).toEqual(['failed', 'failed', 'failed']);
});
