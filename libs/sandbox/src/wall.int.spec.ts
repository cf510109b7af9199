import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tryBubblewrap, tryLandlock, type Wall } from '@reins/os-sandbox';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, outputOf } from './testing/authored.ts';

const NO_WALL: Wall = { backend: 'none', program: '', lacks: [] };

test('a wall that is required and missing keeps processes from running', async () => {
  const sandbox = new Sandbox({ sandbox: 'required', wall: NO_WALL });
  const authored = await AuthoredRun.of(sandbox, 'return 1;');
  await expect(authored.create()).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: expect.stringContaining('this host cannot confine child processes'),
    hint: expect.stringContaining('processes.sandbox'),
  });
  expect(await authored.types()).toEqual([]);
  await sandbox.close();
});

const walls = [...(await Promise.all([tryBubblewrap(), tryLandlock('it is tried alone')])), { wall: NO_WALL }].flatMap(
  (attempt) => ('wall' in attempt ? [attempt.wall] : []),
);

describe.each(walls)('a process behind $backend', (wall) => {
  const sandbox = new Sandbox({ wall });
  beforeAll(() => {
    process.env.REINS_NATS_PASSWORD = 'secret-of-nats';
  });
  afterAll(async () => {
    delete process.env.REINS_NATS_PASSWORD;
    await sandbox.close();
  });

  test('runs as it does without one', async () => {
    const body = `const { readFileSync } = await import('node:fs');
      const task = await ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, null);
      const step = await ctx.step('wait', () => new Promise((resolve) => setTimeout(resolve, 1, 'waited')));
      return [task, step, readFileSync(new URL('./data.txt', import.meta.url), 'utf8'), Date.now() === ctx.now().getTime()];`;
    const authored = await AuthoredRun.of(sandbox, body, { 'data.txt': 'mine' });
    const local = await authored.create();
    await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
    expect(outputOf(local)).toEqual([1, 'waited', 'mine', true]);
    await local.close();
  });

  test('has no credentials in its environment or its arguments', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `await ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, null);`,
    );
    const local = await authored.create();
    const children = descendantsOf(process.pid);
    expect(children.length).toBeGreaterThan(0);
    for (const pid of children) {
      const seen = ['environ', 'cmdline'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join();
      expect(seen).not.toContain('secret-of-nats');
      expect(seen).not.toMatch(/nats:|REINS_/);
    }
    await local.close();
  });
});

/** All processes that this one started, and those that they started. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const children = parents.filter(([, parent]) => parent === pid).map(([child]) => child);
  return [...children, ...children.flatMap(descendantsOf)];
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    return undefined; // It ended meanwhile.
  }
}
