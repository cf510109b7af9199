import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { ReinsError } from '@reins/contracts';
import { freePort, repositoryRoot, tempDir, until } from '@reins/testing';
import type { PartExit, ServiceProcess, System } from './api.ts';
import { readRunFile, stoppingParts } from './run-file.ts';
import { startSystem } from './system.ts';

const topology = { managed: 'self', partitions: 4, replicas: 1, runtimeIds: ['pi'] } as const;
const testdata = (name: string): string => fileURLToPath(new URL(`../testdata/${name}`, import.meta.url));
// Uses the NATS server of the repository, so that none is installed.
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

interface ServiceStatus {
  readonly pid: number;
  readonly nats: string;
}

const statusOf = async (of: ServiceProcess): Promise<ServiceStatus> =>
  (await (await fetch(of.readyUrls[0] ?? '')).json()) as ServiceStatus;

/** Whether the process runs. A zombie does not. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** Systems in child processes, killed after each test. */
const children: ChildProcess[] = [];

/** Starts a system in a child process, which can be killed. */
const DAY_MS = 86_400_000;

async function startInChild(dir: string, services: ServiceProcess[]) {
  const argument = JSON.stringify({ dir, services, topology });
  const child = spawn(process.execPath, ['--conditions=reins-source', testdata('system.mjs'), argument], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
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
    const system = await startSystem({ dir, services, topology, env, log: () => {} });
    started.push(system);
    return system;
  };
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(started.splice(0).map((system) => system.stop()));
  });

  it('starts its parts, returns their addresses, and stops all of them', async () => {
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
    expect(await statusOf(a)).toMatchObject({ nats: system.natsUrl });
    expect(new URL(system.databaseUrl).pathname).toBe('/reins');
    const pids = pidsOf(system);
    expect(pids).toHaveLength(4);
    await system.stop();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await readFile(join(dir, 'logs', 'a.log'), 'utf8')).toMatch(/service is up\n.*service is asked to end\n/);
  });

  it('restarts killed parts at the same address', async () => {
    const a = await service('a');
    const system = await start(await tempDir('system'), [a]);
    const exits: PartExit[] = [];
    system.onExit((exit) => exits.push(exit));
    const before = await statusOf(a);
    for (const name of ['a', 'nats', 'postgres']) {
      await system.kill(name);
      await until(() => system.status().find((part) => part.name === name)?.restarts === 1, {
        what: `restart of ${name}`,
      });
      await system.ready(name);
    }
    const after = await statusOf(a);
    expect(after.pid).not.toBe(before.pid);
    expect(after.nats).toBe(before.nats);
    expect(exits.map(({ name, signal }) => [name, signal])).toEqual([
      ['a', 'SIGKILL'],
      ['nats', 'SIGKILL'],
      ['postgres', 'SIGKILL'],
    ]);
  });

  it('restarts a part that is killed while it starts', async () => {
    const readyFile = join(await tempDir('sign'), 'ready');
    await writeFile(readyFile, '');
    const a = await service('a', { READY_WHILE: readyFile });
    const system = await start(await tempDir('system'), [a]);
    const statusOfA = () => system.status().find(({ name }) => name === 'a');
    await rm(readyFile);
    await system.kill('a');
    const second = await until(() => statusOfA()?.state === 'starting' && statusOfA()?.pid, { what: 'the next start' });
    await system.kill('a');
    await writeFile(readyFile, '');
    await system.ready('a');
    expect((await statusOf(a)).pid).not.toBe(second);
    expect(statusOfA()).toMatchObject({ state: 'ready', restarts: 2 });
  });

  it('reports why a service did not start, and leaves no process behind', async () => {
    const dir = await tempDir('system');
    const good = await service('good');
    const bad = await service('bad', { FAIL_WITH: 'settings_invalid: nothing fits' });
    await expect(start(dir, [good, bad])).rejects.toThrow(/bad ended with code 3: settings_invalid: nothing fits/);
    await expect(statusOf(good)).rejects.toThrow();
    await start(dir, [good]); // The folder is free again.
  });

  it('reports the problem that ended a service first, whatever the service logs while it stops', async () => {
    const dir = await tempDir('system');
    const fatal = { level: 'fatal', code: 'harness_unknown', path: 'host.runtimes', hint: 'Use pi.', msg: 'unknown' };
    const noise = { level: 'error', msg: 'a partition cannot be worked on' };
    const lines = [fatal, ...Array.from({ length: 20 }, () => noise)].map((line) => JSON.stringify(line));
    const bad = await service('bad', { FAIL_WITH: lines.join('\n') });
    const failure = await start(dir, [bad]).catch((error: unknown) => error);
    expect((failure as ReinsError).problems).toEqual([
      { code: 'harness_unknown', message: 'unknown', path: 'host.runtimes', hint: 'Use pi.' },
      {
        code: 'service_unavailable',
        message: 'bad ended with code 3',
        path: 'bad',
        hint: `Read ${join(dir, 'logs', 'bad.log')}.`,
      },
    ]);
  });

  it('logs why a part ended, in one line', async () => {
    const exitFile = join(await tempDir('sign'), 'exit');
    const a = await service('a', { FAIL_WHEN: exitFile });
    const lines: string[] = [];
    const dir = await tempDir('system');
    started.push(await startSystem({ dir, services: [a], topology, env, log: (line) => void lines.push(line) }));
    await writeFile(exitFile, '{"level":"fatal","code":"runtime_missing","hint":"Install it.","msg":"no runtime"}');
    const line = await until(() => lines.find((each) => each.startsWith('a ended')), { what: 'the end of the part' });
    expect(line).toBe('a ended with code 3: runtime_missing: no runtime (Install it.); restarting');
    await rm(exitFile);
  });

  it('reports why a start takes long', async () => {
    const readyFile = join(await tempDir('sign'), 'ready');
    const a = await service('a', { READY_WHILE: readyFile });
    const lines: string[] = [];
    const dir = await tempDir('system');
    const starting = startSystem({ dir, services: [a], topology, env, log: (line) => void lines.push(line) });
    const reason = /^a is not ready yet \(\d+ s\): http:.*\/readyz responds with 503/;
    await until(() => lines.some((each) => reason.test(each)), { what: 'the reason' });
    await writeFile(readyFile, '');
    started.push(await starting);
  });

  it('ends a start that is not ready when its signal aborts, and names what has not stopped yet', async () => {
    const signs = await tempDir('sign');
    const [never, end] = ['never', 'end'].map((name) => join(signs, name)) as [string, string];
    const a = await service('a', { READY_WHILE: never, END_WHEN: end });
    const dir = await tempDir('system');
    const signal = new AbortController();
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const starting = startSystem({ dir, services: [a], topology, env, log, signal: signal.signal });
    const ended = expect(starting).rejects.toBe('enough');
    await until(() => statusOf(a).catch(() => undefined), { what: 'the process of the service' });
    const pid = (await readRunFile(dir))?.owners[0] ?? 0;
    signal.abort('enough');
    await until(async () => (await stoppingParts(dir)).includes('a'), { what: 'the list of stopping parts' });
    await writeFile(end, '');
    await ended;
    expect([isAlive(pid), await stoppingParts(dir)]).toEqual([false, []]);
    await start(dir, [await service('b')]); // The folder is free again.
  });

  it('reports the first failure, not that of a service that waited for it', async () => {
    const waiting = { ...(await service('waiting')), readyUrls: [`http://127.0.0.1:${await freePort()}/readyz`] };
    const bad = await service('bad', { FAIL_WITH: 'no key' });
    const dir = await tempDir('system');
    // The other service never becomes ready, and its deadline is a day: a start that waits for it does not end.
    const starting = startSystem({
      dir,
      services: [waiting, bad],
      topology,
      env,
      log: () => {},
      readyWithinMs: DAY_MS,
    });
    await expect(starting).rejects.toThrow(/^bad ended with code 3: no key/);
  });

  it('refuses ports on which another process listens', async () => {
    const one = await service('one');
    const taken = createServer().listen(Number(new URL(one.readyUrls[0] ?? '').port), '127.0.0.1');
    await once(taken, 'listening');
    await expect(start(await tempDir('system'), [one])).rejects.toMatchObject({ code: 'port_in_use' });
    taken.close();
  });

  it('refuses a state folder that another system uses', async () => {
    const dir = await tempDir('system');
    const other = await startInChild(dir, []);
    await expect(start(dir, [])).rejects.toMatchObject({ code: 'system_already_running' });
    await other.kill();
    await until(() => !other.pids.some(isAlive), { what: 'the end of what it started' });
  });

  it('leaves no process behind when it is killed, and can be started again', async () => {
    const dir = await tempDir('system');
    const services = [await service('a')];
    const killed = await startInChild(dir, services);
    await killed.kill();
    const system = await start(dir, services); // Waits for the servers that are still ending.
    expect(killed.pids.filter(isAlive)).toEqual([]);
    expect(pidsOf(system)).toHaveLength(3);
  });
});
