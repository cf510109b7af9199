import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

/** A run that lost a part of its journal is repaired, and goes on. */
const bench = await Workbench.make();
afterAll(() => bench.remove());

const parallel = bench.process(
  'parallel',
  `const [a, b] = await Promise.all([ctx.task(step, { n: 1 }), ctx.task(step, { n: 2 })]);
   return { a, b, c: await ctx.task(step, { n: 3 }) };`,
);

/** Answers the task with this number with it. */
async function answer(run: string, value: number): Promise<void> {
  const { tasks } = await bench.json(['task:list', run, '--pending']);
  const { effectId } = (tasks as JsonObject[]).find(({ label }) => label === `Step ${value}`) as JsonObject;
  await bench.json(['task:post', run, String(effectId), '--status', 'ok', '--value-inline', `${value}`]);
}

describe('a run without its journal', () => {
  test('gets back what it asked for and what was answered, and goes on to its end', async () => {
    const id = 'without';
    await bench.json(['run:create', '--run-id', id, '--entry', parallel, '--inputs', '{"x":1}']);
    await bench.json(['run:iterate', id]);
    for (const n of [2, 1]) await answer(id, n);
    await bench.json(['run:iterate', id]);
    rmSync(join(bench.runs, id, 'journal'), { recursive: true });

    expect(await bench.reins(['run:verify', id])).toMatchObject({ exit: 1 });
    expect(await bench.reins(['run:rebuild-state', id])).toMatchObject({ exit: 1 });
    const repaired = await bench.reins(['run:repair-journal', id]);
    expect(repaired).toMatchObject({ exit: 1, json: { whole: false, repaired: true, lost: ['journal'] } });
    expect(repaired.json.rescued).toHaveLength(6);
    expect(await bench.json(['run:verify', id])).toMatchObject({ ok: true, entries: 6 });
    await answer(id, 3);
    expect(await bench.json(['run:iterate', id])).toMatchObject({ status: 'completed', output: { a: 1, b: 2, c: 3 } });
  });
});
