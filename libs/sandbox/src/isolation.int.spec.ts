import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Isolation, tryBubblewrap, tryLandlock } from '@reins/os-sandbox';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, outputOf } from './testing/authored.ts';

const NO_ISOLATION: Isolation = { backend: 'none', program: '', lacks: [] };

test('processes do not run if isolation is required and missing', async () => {
  const sandbox = new Sandbox({ sandbox: 'required', isolation: NO_ISOLATION });
  const authored = await AuthoredRun.of(sandbox, 'return 1;');
  await expect(authored.create()).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: expect.stringContaining('this host cannot confine child processes'),
    hint: expect.stringContaining('processes.sandbox'),
  });
  expect(await authored.types()).toEqual([]);
  await sandbox.close();
});

const isolations = [
  ...(await Promise.all([tryBubblewrap(), tryLandlock('tested alone')])),
  { isolation: NO_ISOLATION },
].flatMap((attempt) => ('isolation' in attempt ? [attempt.isolation] : []));

describe.each(isolations)('a process in $backend', (isolation) => {
  const sandbox = new Sandbox({ isolation });
  beforeAll(() => {
    process.env.REINS_NATS_PASSWORD = 'secret-of-nats';
  });
  afterAll(async () => {
    delete process.env.REINS_NATS_PASSWORD;
    await sandbox.close();
  });

  test('runs as without isolation', async () => {
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

  test('cannot read the state of Reins', async () => {
    const body = `const { readFileSync } = await import('node:fs'); const refused = [];
      for (const path of ['./.reins/seed', './a/.reins/seed', './a/../.reins/none', './link/seed'])
        try { readFileSync(new URL(path, import.meta.url)); } catch (error) { refused.push(error.code); }
      return refused;`;
    const authored = await AuthoredRun.of(sandbox, body, { '.reins/seed': 's', 'a/.reins/seed': 's' });
    symlinkSync('.reins', join(authored.root, 'link'));
    const local = await authored.create();
    expect(outputOf(local)).toEqual(Array(4).fill('process_access_refused'));
    await local.close();
  });

  test('has no credentials in its environment or arguments', async () => {
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

/** All descendants of a process. */
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
    return undefined; // It has ended.
  }
}
