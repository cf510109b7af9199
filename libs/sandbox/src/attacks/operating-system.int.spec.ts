import { once } from 'node:events';
import { mkdirSync, openSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Isolation, launchIsolated, tryBubblewrap, tryLandlock } from '@reins/os-sandbox';
import { childConfinement } from '../pool/spawn.ts';
import { folderOf } from '../testing/authored.ts';
import { attackingModule, SYSTEM_ATTACKS } from './operating-system.ts';

/**
 * The attacks run as a plain program with the permissions of a sandbox child, without the language lockdown and the
 * permission model of Node.js.
 */
type Results = Readonly<Record<string, { readonly value?: unknown; readonly error?: string }>>;

const NO_ISOLATION: Isolation = { backend: 'none', program: '', lacks: [] };
const servers = [createServer(), createServer(), createServer()] as const;
const abstract = `reins-test-${process.pid}`;
afterAll(() => {
  for (const server of servers) server.close();
});

async function attacked(isolation: Isolation): Promise<Results> {
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
  const child = launchIsolated(isolation, {
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

const wasStopped = (name: string, { value, error }: { value?: unknown; error?: string } = {}): boolean =>
  error !== undefined || (SYSTEM_ATTACKS[name]?.harmless ?? []).includes(value);

/** The backends that work on this host. The others cannot be tested here. */
const isolations = (await Promise.all([tryBubblewrap(), tryLandlock('tested alone')])).flatMap((attempt) =>
  'isolation' in attempt ? [attempt.isolation] : [],
);

describe.each(isolations)('attacks in $backend, without the language lockdown', (isolation) => {
  let results: Results = {};
  beforeAll(async () => {
    results = await attacked(isolation);
  });

  const names = Object.keys(SYSTEM_ATTACKS);
  test.each(names.filter((name) => isolation.backend === 'bubblewrap' || !SYSTEM_ATTACKS[name]?.namespaces))(
    '%s',
    (name) => {
      expect(results[name]).toBeDefined();
      expect([name, results[name], wasStopped(name, results[name])]).toEqual([name, results[name], true]);
    },
  );
});

test('the attacks succeed without isolation', async () => {
  const results = await attacked(NO_ISOLATION);
  const names = Object.keys(SYSTEM_ATTACKS).filter((name) => SYSTEM_ATTACKS[name]?.worksWithoutIsolation);
  expect(names.filter((name) => wasStopped(name, results[name])).map((name) => [name, results[name]])).toEqual([]);
});
