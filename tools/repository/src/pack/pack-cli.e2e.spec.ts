import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { packCli } from './pack-cli.mjs';

const ROOT = join(import.meta.dirname, '../../../..');
/** The NATS server of this clone; otherwise the one on PATH. */
const NATS = join(ROOT, '.reins/bin/nats-server');

let folder: string;
let outside: string;
let portBase = 0;
/** What packing said that it does. */
const steps: string[] = [];
/** `reins` is not installed in the repository, and runs in another folder. The tarball needs no network. */
const environment = (): NodeJS.ProcessEnv => {
  const path = [join(folder, 'prefix/bin'), dirname(process.execPath), process.env.PATH].join(delimiter);
  const nats = existsSync(NATS) ? { REINS_NATS_SERVER: NATS } : {};
  return {
    ...process.env,
    NODE_OPTIONS: '',
    PATH: path,
    HOME: folder,
    npm_config_cache: join(folder, 'cache'),
    ...(portBase > 0 && { REINS_HTTP_PORT_BASE: String(portBase) }),
    ...nats,
  };
};
const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: outside, env: environment(), maxBuffer: 64 * 1024 * 1024 });

const SERVICES = 7;
/** Stops only what hangs: ten times what packing and a start take on two quiet cores. */
const LIMIT_MS = 900_000;

/** The first of the adjacent ports for the services. They are free, and below those that the system gives to others. */
async function freePorts(): Promise<number> {
  for (;;) {
    const first = randomInt(12_000, 30_000);
    const ports = Array.from({ length: SERVICES }, (_, index) => listenOn(first + index));
    if ((await Promise.allSettled(ports)).every(({ status }) => status === 'fulfilled')) return first;
  }
}

/** Listens on a port for a moment. @throws Error if the port is not free */
async function listenOn(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reins-packed-'));
  outside = join(folder, 'outside');
  mkdirSync(outside);
  const tarball = packCli(ROOT, join(folder, 'pack'), (line) => steps.push(line));
  await run(
    'npm',
    'install',
    '--global',
    '--offline',
    '--no-audit',
    '--no-fund',
    '--prefix',
    join(folder, 'prefix'),
    tarball,
  );
}, LIMIT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('packing says what it does, because it takes minutes', () => {
  expect(steps).toEqual([expect.stringMatching(/^copying \d+ packages/), expect.stringContaining('compressing')]);
});

test(
  'the packed command line compiles and runs the quickstart outside of the repository',
  async () => {
    cpSync(join(ROOT, 'examples/quickstart'), join(outside, 'quickstart'), { recursive: true });
    expect((await run('reins', '--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await run('reins', 'compile', 'quickstart')).stdout).toMatch(/^quickstart compiled/);
    portBase = await freePorts();
    const { stdout } = await run('reins', 'up', '--quickstart', '--once', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', files: [{ path: 'hello.txt' }] });
  },
  LIMIT_MS,
);
