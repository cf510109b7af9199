import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { JsonValue } from '@reins/contracts';
import { type LocalRun, replayRun } from '@reins/replay';
import { until } from '@reins/testing';
import { Sandbox, type SandboxOptions } from './sandbox.ts';
import { AuthoredRun, folderOf, outputOf } from './testing/authored.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

function sandboxOf(options: SandboxOptions = {}): Sandbox {
  const sandbox = new Sandbox(options);
  open.push(sandbox);
  return sandbox;
}

const MAIN = 'sandbox/src/child/main.ts';

/** The ids of the sandbox children of a process. */
function childrenOf(pid: number | undefined): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n');
  const found = rows.map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row)).filter((row) => row?.[3]?.includes(MAIN));
  return found.filter((row) => Number(row?.[2]) === pid).map((row) => Number(row?.[1]));
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const COUNTS = `
  const seen = [];
  for (let i = 0; i < 3; i += 1) seen.push([await ctx.effect('task', { kind: 'node', taskId: 't', i }, { label: 'n' + i }), Math.random(), Date.now()]);
  return seen;`;

const answer = (local: LocalRun, value: JsonValue) =>
  local.post(local.pending[0]?.effectId as string, { status: 'ok', value });

describe('children', () => {
  test('a process that continues as new starts in a new child, as in a replay', async () => {
    const root = await folderOf({
      'main.mjs': `let starts = 0; globalThis.seen ??= []; const drawn = Math.random();
        export async function process(i, ctx) {
          starts += 1; seen.push(i);
          if (i < 2) return ctx.continueAsNew(i + 1);
          const answer = await ctx.task({ id: 't', build: () => ({ kind: 'node', starts, seen, drawn }) }, null);
          if (answer < 2) return ctx.continueAsNew(2);
          return { starts, seen, drawn };
        }`,
    });
    const authored = new AuthoredRun(sandboxOf(), root);
    const local = await authored.create(0);
    expect(local.pending[0]?.request).toMatchObject({ definition: { starts: 1, seen: [2] } });
    await answer(local, 1); // The same child continues, and restarts.
    expect(local.pending[0]?.request).toMatchObject({ definition: { starts: 1, seen: [2] } });
    await local.close();
    const again = await authored.open();
    expect(again.processState).toBe('waiting');
    await answer(again, 2);
    expect(outputOf(again)).toEqual({ starts: 1, seen: [2], drawn: expect.any(Number) });
    expect(await authored.types()).toEqual([
      ...['RUN_CREATED', 'PROCESS_ASSIGNED', 'PROCESS_ASSIGNED', 'EFFECT_REQUESTED'],
      ...['EFFECT_RESOLVED', 'PROCESS_ASSIGNED', 'EFFECT_REQUESTED', 'EFFECT_RESOLVED', 'RUN_COMPLETED'],
    ]);
    const { entries } = await authored.store.load(authored.run);
    const recorded = { run: authored.run, entries, definition: await authored.definition() };
    const replay = await replayRun({ ...recorded, everyStart: true });
    expect([replay.processState, replay.divergence]).toEqual(['completed', undefined]);
  });

  test('an idle child is stopped, and the next turn restores it', async () => {
    const authored = await AuthoredRun.of(sandboxOf({ idleMs: 1 }), COUNTS);
    const local = await authored.create();
    for (let i = 0; i < 3; i += 1) {
      await until(() => childrenOf(process.pid).length === 0);
      await answer(local, i);
    }
    expect(outputOf(local)).toEqual([0, 1, 2].map((n) => [{ value: n }, expect.any(Number), expect.any(Number)]));
    expect((await authored.open()).processState).toBe('completed');
  });

  test('a child that is killed during a turn is replaced, and repeats the turn', async () => {
    const authored = await AuthoredRun.of(
      sandboxOf(),
      `const one = await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });
       await ctx.step('slow', async () => { await new Promise((resolve) => setTimeout(resolve, 1)); });
       let n = 0; for (let i = 0; i < 1e8; i += 1) n += i % 7;
       return [one, Math.random(), n > 0];`,
    );
    const local = await authored.create();
    const [victim] = childrenOf(process.pid);
    const answered = answer(local, 1);
    process.kill(victim as number, 'SIGKILL');
    await answered;
    expect(local.processState).toBe('completed');
    const before = outputOf(local);
    const again = await authored.open();
    expect(outputOf(again)).toEqual(before);
    expect(again.processState).toBe('completed');
  });

  test('the number of live children is limited, and idle ones make room', async () => {
    const sandbox = sandboxOf({ maxLive: 2 });
    const runs: LocalRun[] = [];
    for (let i = 0; i < 3; i += 1) runs.push(await (await AuthoredRun.of(sandbox, COUNTS)).create());
    expect(childrenOf(process.pid)).toHaveLength(2);
    for (const local of runs) for (let i = 0; i < 3; i += 1) await answer(local, i);
    expect(runs.map(({ processState }) => processState)).toEqual(Array(3).fill('completed'));
    expect(childrenOf(process.pid).length).toBeLessThanOrEqual(2);
  });

  test('a run waits for a slot, with a time limit', async () => {
    const sandbox = sandboxOf({ maxLive: 1, turnMs: 3000 });
    const authored = await AuthoredRun.of(
      sandbox,
      `const { existsSync } = await import('node:fs');
       await ctx.step('long', async () => {
         while (!existsSync(new URL('./enough', import.meta.url))) await new Promise((resolve) => setTimeout(resolve, 20));
       });`,
    );
    const busy = authored.create();
    await until(() => childrenOf(process.pid).length === 1);
    await expect((await AuthoredRun.of(sandbox, COUNTS)).create()).rejects.toMatchObject({ code: 'sandbox_busy' });
    writeFileSync(join(authored.root, 'enough'), '');
    expect((await busy).processState).toBe('completed');
  });

  test('closing the sandbox kills all children, and no child starts afterwards', async () => {
    const sandbox = sandboxOf();
    const authored = await AuthoredRun.of(sandbox, COUNTS);
    const local = await authored.create();
    const children = childrenOf(process.pid);
    expect(children).toHaveLength(1);
    await sandbox.close();
    expect(children.filter(isAlive)).toEqual([]);
    await expect(answer(local, 1)).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await expect((await AuthoredRun.of(sandbox, COUNTS)).create()).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    });
  });

  test('a child that starts while the sandbox closes is killed', async () => {
    const sandbox = sandboxOf();
    const creating = (await AuthoredRun.of(sandbox, COUNTS)).create();
    const refused = expect(creating).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    await until(() => childrenOf(process.pid).length === 1);
    await sandbox.close();
    expect(childrenOf(process.pid).filter(isAlive)).toEqual([]);
    await refused;
  });

  test('a child dies with its owner, even in an endless loop', async () => {
    const authored = await AuthoredRun.of(sandboxOf(), 'for (;;);');
    const script = fileURLToPath(new URL('testing/owner.ts', import.meta.url));
    const owner = spawn(process.execPath, ['--conditions=reins-source', '--no-warnings', script, authored.root], {
      stdio: 'ignore',
    });
    await until(() => childrenOf(owner.pid).length === 1);
    const [child] = childrenOf(owner.pid);
    owner.kill('SIGKILL');
    await until(() => !isAlive(child as number));
  });
});
