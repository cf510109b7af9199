import { afterAll, describe, expect, test } from '@jest/globals';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, outputOf } from './testing/authored.ts';

const sandbox = new Sandbox({ turnMs: 30_000, maxTurnBytes: 1024 * 1024 });
/** Only for endless loops: other work needs more time on a busy machine. */
const quick = new Sandbox({ turnMs: 3000 });
afterAll(() => Promise.all([sandbox.close(), quick.close()]));

const ASK = `await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });`;

/** What a process does after its first result, and the resulting error code. */
const BREAKS: Readonly<Record<string, readonly [body: string, code: string]>> = {
  'an endless loop': ['for (;;);', 'process_timed_out'],
  'an endless chain of promises': ['for (;;) await null;', 'process_timed_out'],
  'a heap that grows': [
    'const all = []; for (;;) all.push(new Array(100_000).fill(all.length));',
    'process_out_of_memory',
  ],
  'buffers that grow': ['const all = []; for (;;) all.push(Buffer.alloc(2e7, 1));', 'process_out_of_memory'],
  'arrays of bytes that grow': [
    'const all = []; for (;;) all.push(new Uint8Array(2e7).fill(1));',
    'process_out_of_memory',
  ],
  'a buffer that cannot be had': ['new ArrayBuffer(2 ** 40);', 'process_out_of_memory'],
  'texts of buffers that grow': [
    `const all = [], one = Buffer.alloc(2e7, 1); for (;;) all.push(one.toString('hex'));`,
    'process_out_of_memory',
  ],
  'more than it may say': [
    `await ctx.effect('task', { kind: 'node', taskId: 't', text: 'x'.repeat(2e6) })`,
    'process_output_too_large',
  ],
  'a console that is never quiet': [`for (;;) console.log('x'.repeat(1000));`, 'process_output_too_large'],
  'an error that nothing catches': [
    `queueMicrotask(() => { throw new Error('lost') }); await null;`,
    'process_crashed',
  ],
};

describe('a process that exceeds a limit', () => {
  test.each(Object.entries(BREAKS))('%s', async (_, [body, code]) => {
    const authored = await AuthoredRun.of(code === 'process_timed_out' ? quick : sandbox, ASK + body);
    const local = await authored.create();
    await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
    expect(local.processState).toBe('broken');
    expect(local.state).toMatchObject({
      status: 'waiting',
      processError: { error: { code } },
    });
    expect(await authored.types()).toEqual([
      ...['RUN_CREATED', 'EFFECT_REQUESTED', 'EFFECT_RESOLVED', 'PROCESS_RUNTIME_ERROR'],
    ]);
    await local.close();
  });

  test('waits for an operator, records one error, and continues with fixed code', async () => {
    const authored = await AuthoredRun.of(quick, `${ASK} for (;;);`);
    const local = await authored.create();
    await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
    await local.close();
    const again = await authored.open();
    expect(again.processState).toBe('broken');
    expect((await authored.types()).filter((type) => type === 'PROCESS_RUNTIME_ERROR')).toHaveLength(1);
    await again.close();
    const better = await AuthoredRun.of(sandbox, `${ASK} return 'fixed';`);
    const fixed = new AuthoredRun(sandbox, better.root);
    Object.assign(fixed, { store: authored.store });
    const done = await fixed.open();
    expect(outputOf(done)).toBe('fixed');
    expect((await authored.types()).slice(-2)).toEqual(['PROCESS_CODE_CHANGED', 'RUN_COMPLETED']);
    await done.close();
  });

  test('while it loads: the run does not start', async () => {
    const authored = await AuthoredRun.of(quick, '', { 'main.mjs': 'for (;;); export const process = 1;' });
    await expect(authored.create()).rejects.toMatchObject({ code: 'process_timed_out' });
    expect(await authored.types()).toEqual([]);
  });

  test('in a step: the attempt fails, and the step is retried', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `return ctx.step('heavy', () => { for (;;); }, { maxAttempts: 2, timeoutMs: 50, backoffMs: 1 }).catch((error) => error.code);`,
    );
    const local = await authored.create();
    expect(outputOf(local)).toBe('process_timed_out');
    expect(await authored.types()).toEqual([
      ...['RUN_CREATED', 'EFFECT_REQUESTED', 'EFFECT_ATTEMPT_FAILED', 'EFFECT_RESOLVED', 'RUN_COMPLETED'],
    ]);
    await local.close();
  });

  test('values that JSON cannot carry are errors of the process', async () => {
    const body = `const self = {}; self.self = self;
      const tried = (value) => ctx.effect('task', { kind: 'node', taskId: 't', value }).then(() => 'sent', (error) => error.code ?? error.name);
      return [await tried(1n), await tried(Symbol('x')), await tried(self)];`;
    const local = await (await AuthoredRun.of(sandbox, body)).create();
    expect(outputOf(local)).toEqual(['process_invalid', 'process_invalid', 'process_invalid']);
    await local.close();
  });
});
