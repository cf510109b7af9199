import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort, repositoryRoot, tempDir, until } from '@reins/testing';
import type { PartExit, ServiceProcess, System } from './api.ts';
import { startSystem } from './system.ts';

const testdata = (name: string): string => fileURLToPath(new URL(`../testdata/${name}`, import.meta.url));
// The server that the repository has, so that nothing is installed here.
const env = { ...process.env, PATH: `${process.env.PATH}:${join(repositoryRoot, '.reins', 'bin')}` };

async function service(name: string, more: Record<string, string> = {}): Promise<ServiceProcess> {
  const port = await freePort();
  return {
    name,
    main: testdata('service.mjs'),
    env: { PORT: String(port), ...more },
    readyUrls: [`http://127.0.0.1:${port}/readyz`],
  };
}

interface Answer {
  readonly pid: number;
  readonly nats: string;
}

const ask = async (of: ServiceProcess): Promise<Answer> =>
  (await (await fetch(of.readyUrls[0] ?? '')).json()) as Answer;

/** Whether the process runs; one that has ended and only waits to be collected by its parent does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** Systems in processes of their own: ended with the test, however that ends. */
const elsewheres: ChildProcess[] = [];

/** A system in a process of its own, which can be killed. */
async function elsewhere(dir: string, services: ServiceProcess[]) {
  const argument = JSON.stringify({ dir, services });
  const child = spawn(process.execPath, ['--conditions=reins-source', testdata('system.mjs'), argument], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  elsewheres.push(child);
  const exited = once(child, 'exit');
  const first = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited]);
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  return { pids: JSON.parse(String(first[0])) as number[], kill };
}

const pidsOf = (system: System): number[] => system.status().flatMap(({ pid }) => pid ?? []);

describe('the system', () => {
  const started: System[] = [];
  const start = async (dir: string, services: ServiceProcess[]): Promise<System> => {
    const system = await startSystem({ dir, services, env, log: () => {} });
    started.push(system);
    return system;
  };
  afterEach(async () => {
    for (const child of elsewheres.splice(0)) child.kill('SIGKILL');
    await Promise.all(started.splice(0).map((system) => system.stop()));
  });

  it('starts its parts, hands out their addresses, and ends all of them', async () => {
    const dir = await tempDir('system');
    const a = await service('a');
    const b = await service('b');
    const system = await start(dir, [a, b]);
    expect(system.status().map(({ name, state }) => [name, state])).toEqual(
      expect.arrayContaining([
        ['nats', 'ready'],
        ['postgres', 'ready'],
        ['a', 'ready'],
        ['b', 'ready'],
      ]),
    );
    expect(await ask(a)).toMatchObject({ nats: system.natsUrl });
    expect(new URL(system.databaseUrl).pathname).toBe('/reins');
    const pids = pidsOf(system);
    expect(pids).toHaveLength(4);
    await system.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await readFile(join(dir, 'logs', 'a.log'), 'utf8')).toMatch(/service is up\n.*service is asked to end\n/);
  });

  it('starts again what dies, at the same address', async () => {
    const a = await service('a');
    const system = await start(await tempDir('system'), [a]);
    const exits: PartExit[] = [];
    system.onExit((exit) => exits.push(exit));
    const before = await ask(a);
    for (const name of ['a', 'nats', 'postgres']) {
      await system.kill(name);
      await until(() => system.status().find((part) => part.name === name)?.restarts === 1, {
        what: `restart of ${name}`,
      });
      await system.ready(name);
    }
    const after = await ask(a);
    expect(after.pid).not.toBe(before.pid);
    expect(after.nats).toBe(before.nats);
    expect(exits.map(({ name, signal }) => [name, signal])).toEqual([
      ['a', 'SIGKILL'],
      ['nats', 'SIGKILL'],
      ['postgres', 'SIGKILL'],
    ]);
  });

  it('starts again what dies while it starts', async () => {
    const sign = join(await tempDir('sign'), 'ready');
    await writeFile(sign, '');
    const a = await service('a', { READY_WHILE: sign });
    const system = await start(await tempDir('system'), [a]);
    const statusOfA = () => system.status().find(({ name }) => name === 'a');
    await rm(sign);
    await system.kill('a');
    const second = await until(() => statusOfA()?.state === 'starting' && statusOfA()?.pid, { what: 'the next start' });
    await system.kill('a');
    await writeFile(sign, '');
    await system.ready('a');
    expect((await ask(a)).pid).not.toBe(second);
    expect(statusOfA()).toMatchObject({ state: 'ready', restarts: 2 });
  });

  it('says why a service did not start, and leaves nothing behind', async () => {
    const dir = await tempDir('system');
    const good = await service('good');
    const bad = await service('bad', { FAIL_WITH: 'settings_invalid: nothing fits' });
    await expect(start(dir, [good, bad])).rejects.toThrow(/bad ended with code 3: settings_invalid: nothing fits/);
    await expect(ask(good)).rejects.toThrow();
    await start(dir, [good]); // nobody is left on the folder
  });

  it('tells the failure, and not that of a service that waited for what failed', async () => {
    const waiting = { ...(await service('waiting')), readyUrls: [`http://127.0.0.1:${await freePort()}/readyz`] };
    const bad = await service('bad', { FAIL_WITH: 'no key' });
    const dir = await tempDir('system');
    await expect(start(dir, [waiting, bad])).rejects.toThrow(/^bad ended with code 3: no key/);
    const { mtimeMs } = await stat(join(dir, 'logs', 'bad.log'));
    expect(Date.now() - mtimeMs).toBeLessThan(55_000); // and not after the minute that the one that waits would have had
  });

  it('refuses a folder that another system works on', async () => {
    const dir = await tempDir('system');
    const other = await elsewhere(dir, []);
    await expect(start(dir, [])).rejects.toMatchObject({ code: 'system_already_running' });
    await other.kill();
    await until(() => !other.pids.some(isAlive), { what: 'the end of what it started' });
  });

  it('leaves nothing behind when it is killed, and goes on where it was', async () => {
    const dir = await tempDir('system');
    const services = [await service('a')];
    const killed = await elsewhere(dir, services);
    await killed.kill();
    const system = await start(dir, services); // waits for what is ending
    expect(killed.pids.filter(isAlive)).toEqual([]);
    expect(pidsOf(system)).toHaveLength(3);
  });
});
