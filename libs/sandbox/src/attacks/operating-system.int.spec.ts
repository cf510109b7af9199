import { once } from 'node:events';
import { mkdirSync, openSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { launchBehind, tryBubblewrap, tryLandlock, type Wall } from '@reins/os-sandbox';
import { childConfinement } from '../pool/spawn.ts';
import { folderOf } from '../testing/authored.ts';
import { attackingModule, SYSTEM_ATTACKS } from './operating-system.ts';

/** The language wall is off: the attacks are a plain program, with what a child of the sandbox is given, and without Node's own permissions. */
type Results = Readonly<Record<string, { readonly value?: unknown; readonly error?: string }>>;

const NO_WALL: Wall = { backend: 'none', program: '', lacks: [] };
const servers = [createServer(), createServer(), createServer()] as const;
const abstract = `reins-test-${process.pid}`;
afterAll(() => {
  for (const server of servers) server.close();
});

async function attacked(wall: Wall): Promise<Results> {
  const root = await folderOf({ 'main.mjs': attackingModule(), 'data.json': '{}', '.reins/secret': 's' });
  const place = join(dirname(root), 'place');
  mkdirSync(place);
  writeFileSync(join(place, 'secret'), 'secret', { mode: 0o600 });
  writeFileSync(join(place, 'moved'), '');
  symlinkSync(join(place, 'secret'), join(root, 'link'));
  servers[1].close();
  servers[1].listen(join(place, 'host.sock'));
  await once(servers[1], 'listening');
  const descriptor = openSync(join(place, 'secret'), 'r');
  const { port } = servers[0].address() as { port: number };
  const ports = { tcp: port, abstract, home: homedir(), ino: statSync(`/proc/self/fd/${descriptor}`).ino };
  const child = launchBehind(wall, {
    ...childConfinement({ root: realpathSync(root), hidden: [join(root, '.reins')] }, 128),
    args: ['--no-warnings', join(root, 'main.mjs'), JSON.stringify(ports), place, String(process.pid)],
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors] = await Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)]);
  if (output === '') throw new Error(errors);
  return JSON.parse(output) as Results;
}

beforeAll(async () => {
  servers[0].listen(0, '127.0.0.1');
  servers[2].listen(`\0${abstract}`);
  await Promise.all([once(servers[0], 'listening'), once(servers[2], 'listening')]);
});

const held = (name: string, { value, error }: { value?: unknown; error?: string } = {}): boolean =>
  error !== undefined || (SYSTEM_ATTACKS[name]?.harmless ?? []).includes(value);

/** Walls that this host has. A host without one has no tests of it. */
const walls = (await Promise.all([tryBubblewrap(), tryLandlock('it is tried alone')])).flatMap((attempt) =>
  'wall' in attempt ? [attempt.wall] : [],
);

describe.each(walls)('the wall of $backend, with the language wall off', (wall) => {
  let results: Results = {};
  beforeAll(async () => {
    results = await attacked(wall);
  });

  const names = Object.keys(SYSTEM_ATTACKS);
  test.each(names.filter((name) => wall.backend === 'bubblewrap' || !SYSTEM_ATTACKS[name]?.namespaces))(
    '%s',
    (name) => {
      expect(results[name]).toBeDefined();
      expect([name, results[name], held(name, results[name])]).toEqual([name, results[name], true]);
    },
  );
});

test('without a wall the attacks work', async () => {
  const results = await attacked(NO_WALL);
  const names = Object.keys(SYSTEM_ATTACKS).filter((name) => SYSTEM_ATTACKS[name]?.worksWithoutWall);
  expect(names.filter((name) => held(name, results[name])).map((name) => [name, results[name]])).toEqual([]);
});
