import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { Workbench } from './testing/command-line.ts';

const bench = await Workbench.make();
afterAll(() => bench.remove());

const script = (type: string, name: string, text: string): string => bench.file(`state/hooks/${type}/${name}`, text);

/** Creates a run of this code, iterates it once, and returns the report. */
async function iterated(id: string, body: string): Promise<JsonObject> {
  const entry = bench.process(id, body);
  await bench.json(['run:create', '--run-id', id, '--entry', `${entry}#process`, '--inputs', '{}']);
  return (await bench.reins(['run:iterate', id])).json;
}

describe('a hook in a run directory', () => {
  test('runs its scripts in order, with the payload as input', async () => {
    const log = bench.file('log', '');
    script('ship', '2-second.sh', `cat >> ${log}`);
    script('ship', '1-first.mjs', `import { appendFileSync } from 'node:fs'; appendFileSync('${log}', 'first ');`);
    script('ship', 'notes.md', 'no script');
    const report = await iterated('ships', `return ctx.hook('ship', { files: 1 });`);
    const executedHooks = ['1-first.mjs', '2-second.sh'].map((name) => ({ name, status: 'success' }));
    expect(report).toMatchObject({
      status: 'completed',
      output: { hookType: 'ship', success: true, executedHooks },
    });
    expect(bench.text('log')).toBe('first {"files":1}');
    expect((await bench.reins(['run:iterate', 'ships'])).json).toMatchObject({ output: { success: true } });
    expect(bench.text('log')).toBe('first {"files":1}');
  });

  test('fails with the first script that fails', async () => {
    script('check', '1.sh', 'echo no luck >&2; exit 3');
    script('check', '2.sh', `touch ${bench.root}/ran`);
    const hook = `ctx.hook('check', null, { throwOnFailure: true }).catch(({ code, message }) => [code, message])`;
    expect(await iterated('checks', `return ${hook};`)).toMatchObject({
      status: 'completed',
      output: ['hook_failed', 'the script 1.sh of the hook "check" exited with 3: no luck'],
    });
    expect(() => bench.text('ran')).toThrow('ENOENT');
  });

  test('that takes longer than its timeout fails', async () => {
    script('slow', '1.mjs', 'setInterval(() => {}, 1000);');
    expect(await iterated('slow', `return ctx.hook('slow', null, { timeout: 500 });`)).toMatchObject({
      output: { success: false, error: expect.stringContaining('(timeout 500 ms)') },
    });
  });

  test.each([
    ['the script', 'open/1.sh'],
    ['the folder of its type', 'open'],
    ['the folder of all hooks', ''],
  ])('does not run if other users can change %s', async (name, path) => {
    script('open', '1.sh', `touch ${bench.root}/ran-open`);
    const exposed = join(bench.root, 'state/hooks', path);
    const { mode } = statSync(exposed);
    chmodSync(exposed, 0o777);
    const report = await iterated(`open-${name.length}`, `return ctx.hook('open', null);`);
    chmodSync(exposed, mode);
    expect(report).toMatchObject({
      output: { success: false, error: `${exposed} belongs to another user, or other users can change it` },
    });
    expect(() => bench.text('ran-open')).toThrow('ENOENT');
  });

  test.each(['abc', -1, 2 ** 31, true])('with the timeout %j fails', async (timeout) => {
    script('timed', '1.sh', `touch ${bench.root}/ran-timed`);
    const task = `defineTask('h', () => ({ kind: 'hook', title: 'h' }))`;
    const body = `return ctx.task(${task}, ${JSON.stringify({ type: 'timed', timeout })}).catch((e) => e.message);`;
    expect(await iterated(`timed-${String(timeout).replace('-', 'minus')}`, body)).toMatchObject({
      output: `the timeout of the hook must be a positive number of milliseconds (got ${JSON.stringify(timeout)})`,
    });
    expect(() => bench.text('ran-timed')).toThrow('ENOENT');
  });

  test.each(['absent', '../hooks/ship', '.', ''])('without a script is refused at once: %j', async (type) => {
    const id = `none-${Buffer.from(type).toString('hex')}`;
    expect(await iterated(id, `return ctx.hook(${JSON.stringify(type)}, null, { label: 'h' });`)).toMatchObject({
      status: 'completed',
      output: { success: false, error: `no script exists for the hook ${JSON.stringify(type)}` },
    });
  });
});
