import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { LocalRun } from '@reins/replay';
import { RunDirectoryStore } from '@reins/run-directory';
import { tempDir } from '@reins/testing';
import { locateModule } from './graph/locate-module.ts';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, folderOf, outputOf } from './testing/authored.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

const answer = (local: LocalRun, value: JsonValue) =>
  local.post(local.pending[0]?.effectId as string, { status: 'ok', value });

const EXPORT_HINT = 'Export a function with this name, or name another export that is a function.';

describe('the machine, as a process sees it', () => {
  const SEEN = `
    const { randomUUID, randomBytes } = await import('node:crypto');
    const timers = await import('node:timers/promises');
    const seen = () => ({
      times: [Date.now(), new Date().toISOString(), Date(), new Intl.DateTimeFormat('en', { timeStyle: 'medium' }).format(),
        performance.now(), performance.timeOrigin, String(globalThis.process.hrtime.bigint()), globalThis.process.uptime(), top],
      random: [Math.random(), crypto.randomUUID(), randomUUID(), randomBytes(4).toString('hex'),
        [...crypto.getRandomValues(new Uint8Array(3))]],
    });
    const first = seen();
    await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });
    return [first, seen()];`;
  const files = { 'main.mjs': `const top = Date.now();\nexport async function process(inputs, ctx) {${SEEN}}` };

  test('time and random numbers come from the entry and the run, and are the same in a replay', async () => {
    const authored = await AuthoredRun.of(sandbox, '', files);
    const local = await authored.create();
    await answer(local, 1);
    const [before, after] = outputOf(local) as unknown as { times: JsonValue[]; random: JsonValue[] }[];
    const [created, , answered] = (await authored.store.load(authored.run)).entries.map(({ recordedAt }) => recordedAt);
    expect(before?.times.slice(0, 2)).toEqual([Date.parse(created as string), created]);
    expect(after?.times.slice(0, 2)).toEqual([Date.parse(answered as string), answered]);
    expect(before?.times.at(-1)).toBe(Date.parse(created as string));
    expect(before?.random).not.toEqual(after?.random);
    await local.close();
    const again = await authored.open();
    expect(again.divergence).toBeUndefined();
    await again.close();
  });

  test('functions whose promises settle at any time are refused, with a hint', async () => {
    const attempts = [
      'setTimeout(() => {}, 1)',
      'setInterval(() => {}, 1)',
      'setImmediate(() => {})',
      `(await import('node:timers/promises')).setTimeout(1)`,
      `(await import('node:fs/promises')).readFile('x')`,
      `crypto.subtle.digest('SHA-256', new Uint8Array())`,
      'AbortSignal.timeout(1)',
    ];
    const body = attempts.map(
      (code) => `try { await ${code}; } catch (error) { found.push([error.code, error.hint]); }`,
    );
    const last = 'ctx.log(JSON.stringify(found)); setTimeout(() => {}, 1);';
    const authored = await AuthoredRun.of(sandbox, ['const found = [];', ...body, last].join('\n'));
    const local = await authored.create();
    expect(local.processState).toBe('broken');
    expect(local.state.processError).toMatchObject({ error: { code: 'replay_ambient' } });
    const log = (await authored.store.load(authored.run)).entries.find(({ type }) => type === 'PROCESS_LOG');
    expect(JSON.parse((log as { data: { message: string } }).data.message)).toEqual(
      attempts.map(() => ['replay_ambient', expect.stringMatching(/^Use .* within ctx.step/)]),
    );
  });

  test('a step uses the time and random numbers of the machine', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `const fs = await import('node:fs/promises');
       return ctx.step('look', async () => {
         const began = Date.now();
         await new Promise((resolve) => setTimeout(resolve, 20));
         const digest = await crypto.subtle.digest('SHA-256', Buffer.from('x'));
         const data = await fs.readFile(new URL('./data.txt', import.meta.url), 'utf8');
         return [Date.now() - began >= 15, digest.byteLength, data, Math.random(), crypto.randomUUID()];
       });`,
      { 'data.txt': 'mine' },
    );
    const [first, second] = [await authored.create(), await new AuthoredRun(sandbox, authored.root).create()].map(
      outputOf,
    );
    expect(first).toEqual([true, 32, 'mine', expect.any(Number), expect.any(String)]);
    expect((first as JsonValue[]).slice(3)).not.toEqual((second as JsonValue[]).slice(3));
  });
});

describe('modules', () => {
  test('of every kind are loaded: TypeScript, JSON, packages, scripts', async () => {
    const root = await folderOf({
      'process/main.ts': `import { twice } from './twice.ts'; import data from '../data.json' with { type: 'json' };
        import old, { part } from 'old'; import { defineTask } from '@a5c-ai/babysitter-sdk'; import { EffectError } from '@reins/replay';
        import path from 'node:path';
        const name = './late' + '.mjs';
        export const inputSchema = { type: 'object' };
        export default async function (inputs: { n: number }, ctx: any): Promise<unknown> {
          const late = await import('./late.mjs'); const again = await import(name);
          const caught = await ctx.effect('task', { kind: 'node', taskId: 't' }).catch((error: Error) => error instanceof EffectError);
          return { n: twice(inputs.n), data, old: old.up(), part, late: late.default, same: late === again, caught,
            base: path.basename(import.meta.filename), task: defineTask('t', () => ({ kind: 'node' })).id };
        }`,
      'process/twice.ts': 'export const twice = (n: number): number => 2 * n;',
      'process/late.mjs': `export default 'late';`,
      'data.json': '{ "a": 1 }',
      'node_modules/old/index.js': `const { join } = require('path'); const part = require('./part.json').n;
        module.exports = { part, up: () => join('a', '..', typeof require('./self').self) };`,
      'node_modules/old/part.json': '{ "n": 7 }',
      'node_modules/old/self.js': `exports.self = require('./index');`,
      'package.json': '{}',
    });
    const authored = await locateModule(join(root, 'process/main.ts'));
    expect(authored).toEqual({ root, path: 'process/main.ts' });
    expect(await sandbox.inspect(authored)).toEqual({ inputSchema: { type: 'object' } });
    const run = new AuthoredRun(sandbox, root);
    const options = { store: run.store, run: run.run, definition: await sandbox.process(authored) };
    const local = await LocalRun.create(options, { inputs: { n: 4 } });
    const { effectId } = local.pending[0] as { effectId: string };
    await local.post(effectId, { status: 'error', error: { code: 'task_failed', message: 'no' } });
    expect(outputOf(local)).toEqual({
      ...{
        n: 8,
        data: { a: 1 },
        old: 'object',
        part: 7,
        late: 'late',
        same: true,
        caught: true,
        base: 'main.ts',
        task: 't',
      },
    });
    await local.close();
  });

  test('rules of the run limit what it may request', async () => {
    const { root } = await AuthoredRun.of(
      sandbox,
      `return ctx.task({ id: 't', build: () => ({ kind: 'shell' }) }, 1);`,
    );
    const governance = {
      policyRules: [
        { id: 'no-shell', action: 'deny', conditions: [{ field: 'effectKind', operator: 'eq', value: 'shell' }] },
      ],
    } as const;
    const { store, run } = new AuthoredRun(sandbox, root);
    const definition = await sandbox.process({ root, path: 'main.mjs', governance });
    const local = await LocalRun.create({ store, run, definition }, { inputs: null });
    expect(local.state.end).toMatchObject({ status: 'failed', error: { message: expect.stringMatching('no-shell') } });
    await local.close();
  });

  test('a file that changes later does not affect the run', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `await ctx.effect('task', { kind: 'node', taskId: 't' }); return (await import('./late.mjs')).default;`,
      {
        'late.mjs': 'export default 1;',
      },
    );
    const local = await authored.create();
    writeFileSync(join(authored.root, 'late.mjs'), 'export default 2;');
    await answer(local, null);
    expect(outputOf(local)).toBe(1);
  });

  test.each([
    ['a missing export', 'export const other = 1;', 'process_export_missing', EXPORT_HINT],
    [
      'a misspelt export',
      'export const proces = () => 1;',
      'process_export_missing',
      expect.stringMatching(/^Did you mean .*main\.mjs#proces\?$/),
    ],
    [
      'an error with a code of our own',
      `import fs from 'node:fs'; let Refusal; try { fs.writeFileSync('x'); } catch (error) { Refusal = error.constructor; }
      throw new Refusal({ code: 'sandbox_unavailable', message: 'forged' });`,
      'process_invalid',
      undefined,
    ],
    ['an export other than a function', 'export const process = 1;', 'process_export_missing', EXPORT_HINT],
    ['an error while it is loaded', 'throw new Error("no");', 'process_invalid', undefined],
    ['a name that a module does not have', `import { none } from 'node:path';`, 'process_invalid', undefined],
    [
      'a timer while it is loaded',
      'setTimeout(() => {}, 1);',
      'replay_ambient',
      expect.stringMatching('ctx.sleepUntil'),
    ],
  ])('%s: the run does not start', async (_, source, code, hint) => {
    const authored = await AuthoredRun.of(sandbox, '', { 'main.mjs': source });
    await expect(authored.create()).rejects.toMatchObject({ code, hint });
    expect(await authored.types()).toEqual([]);
  });
});

describe('the code of a run', () => {
  test('is recorded when it changed, and refused when it does not match the journal', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `return ctx.effect('task', { kind: 'node', taskId: 't', n: 1 }, { label: 'one' });`,
    );
    const before = (await authored.definition()).codeHash;
    await (await authored.create()).close();
    writeFileSync(
      join(authored.root, 'main.mjs'),
      `export async function process(i, ctx) { await ctx.effect('task', { kind: 'node', taskId: 't', n: 2 }, { label: 'one' }); }`,
    );
    expect((await authored.open()).divergence?.error.code).toBe('replay_nondeterminism');
    writeFileSync(
      join(authored.root, 'main.mjs'),
      `export async function process(i, ctx) { return [await ctx.effect('task', { kind: 'node', taskId: 't', n: 1 }, { label: 'one' })]; }`,
    );
    const local = await authored.open();
    await answer(local, 5);
    expect(outputOf(local)).toEqual([{ value: 5 }]);
    const { entries } = await authored.store.load(authored.run);
    const [changed] = entries.filter(({ type }) => type === 'PROCESS_CODE_CHANGED');
    expect(changed?.data).toEqual({ from: before, to: (await authored.definition()).codeHash });
  });
});

const ARCHIVE = fileURLToPath(new URL('../../replay/testdata/babysitter-runs.tar.gz', import.meta.url));

test('runs of babysitter continue with their processes unchanged', async () => {
  const unpacked = await tempDir('babysitter');
  execFileSync('tar', ['-xzf', ARCHIVE, '-C', unpacked]);
  for (const name of ['completed-0.0.187', 'completed-6.0.0', 'shell-and-cancel-6.0.0', 'waiting-mixed-6.0.0']) {
    const root = join(unpacked, 'babysitter', name);
    const runsRoot = join(root, 'runs');
    const [runId = ''] = readdirSync(runsRoot).filter((entry) => !entry.includes('.'));
    const { iterate } = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as {
      iterate: { output?: JsonValue; nextActions?: { effectId: string }[] };
    };
    const { root: folder, path } = { ...(await locateModule(join(root, 'process.mjs'))) };
    const definition = await sandbox.process({
      root: folder,
      path,
      exportName: 'process',
      id: '../../process.mjs#process',
    });
    const run = { workspaceId: 'local', runId };
    const now = () => new Date('2026-11-21T00:00:00.000Z');
    const local = await LocalRun.open({ store: new RunDirectoryStore(runsRoot), run, definition, now });
    expect(local.divergence).toBeUndefined();
    if (iterate.output !== undefined) expect(outputOf(local)).toEqual(iterate.output);
    for (let guard = 0; local.pending.length > 0 && guard < 20; guard += 1) await answer(local, { posted: guard });
    expect(local.processState).toBe('completed');
    await local.close();
  }
});

describe('an error of a process', () => {
  test('has its location, and only frames of its code', async () => {
    const helper = 'export function count(items) {\n  return items.length;\n}';
    const main = "import { count } from './helper.mjs';\nexport async function process() {\n  return count();\n}";
    const authored = await AuthoredRun.of(sandbox, '', { 'main.mjs': main, 'helper.mjs': helper });
    const local = await authored.create();
    const stack = 'count (helper.mjs:2:16)\nprocess (main.mjs:3:10)';
    expect(local.state.processError?.error).toMatchObject({ code: 'process_failed', path: 'helper.mjs:2:16', stack });
    await local.close();
  });
});

describe('a process', () => {
  test('cannot fail with a code that is reserved for its host', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `let Refusal; try { (await import('node:fs')).writeFileSync('x', ''); } catch (error) { Refusal = error.constructor; }
       throw new Refusal({ code: 'sandbox_unavailable', message: 'forged' });`,
    );
    const local = await authored.create();
    expect(local.state.processError?.error).toMatchObject({
      code: 'process_crashed',
      message: expect.stringContaining('it failed with sandbox_unavailable, which is reserved for its host'),
    });
    await local.close();
  });

  test('fails with the code of an effect that failed, whatever it is', async () => {
    const authored = await AuthoredRun.of(sandbox, `await ctx.effect('task', { kind: 'node', taskId: 't' });`);
    const local = await authored.create();
    const error = { code: 'bus_unavailable', message: 'no server', hint: 'Start it.' };
    await local.post(local.pending[0]?.effectId as string, { status: 'error', error });
    const where = { path: 'main.mjs:2:11', stack: 'process (main.mjs:2:11)' };
    expect(local.state.end).toMatchObject({ status: 'failed', error: { ...error, ...where } });
    await local.close();
  });
});
