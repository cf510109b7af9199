import { mkdir, readdir, readFile, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { copyOfRun } from '../files/run-copy.ts';
import { endAll, newContext, recordedNetworks, SANDBOX } from '../testing/services-fixture.ts';
import { recordOf } from './kept-setup.ts';
import { SetupCache, type SetupCacheOptions, type SetupRequest } from './setup-cache.ts';

afterEach(async () => expect(await endAll()).toEqual([]));

const signal = AbortSignal.timeout(100_000);
const DAY_MS = 24 * 3_600_000;
/** Writes another text each time that it runs, so that a copy differs from that of a second run. */
const RANDOM = "node -e \"require('node:fs').writeFileSync('done.txt', crypto.randomUUID())\"";

async function newCache(options: Partial<SetupCacheOptions> = {}) {
  const { path, newToken } = await newContext();
  const dir = join(await tempDir('setups'), 'setups');
  const limits = { maxBytes: 1024 * 1024, maxAgeMs: DAY_MS };
  const cache = new SetupCache({ dir, path, sandbox: SANDBOX, newToken, ...limits, ...options });
  return { dir, cache };
}

/** The folder of an application in a run. */
async function newRequest(more: Partial<SetupRequest> = {}, files: Record<string, string> = { 'app.mjs': 'code' }) {
  const root = await tempDir('run');
  const [folder, homeDir] = [join(root, 'app'), join(root, 'home')];
  await Promise.all([folder, homeDir].map((each) => mkdir(each)));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return { workspaceId: 'ws1', appId: 'app', command: RANDOM, environment: {}, folder, tree: folder, homeDir, ...more };
}

const done = ({ folder }: SetupRequest): Promise<string> => readFile(join(folder, 'done.txt'), 'utf8');

describe('the setup of an application', () => {
  test('runs once for one content, and runs cannot change what later runs get', async () => {
    const { cache } = await newCache();
    const [first, second] = [await newRequest(), await newRequest()];
    const applied = await Promise.all([first, second].map((request) => cache.apply(request, signal)));
    expect(applied).toEqual([true, true]);
    expect(await done(second)).toBe(await done(first));
    const original = await done(first);
    await writeFile(join(first.folder, 'done.txt'), 'changed by a run');
    const third = await newRequest();
    expect(await cache.apply(third, signal)).toBe(true);
    expect(await done(third)).toBe(original);
  });

  test('runs again for other files, another command, workspace or value of a variable', async () => {
    const { dir, cache } = await newCache();
    const requests = [
      await newRequest(),
      await newRequest({}, { 'app.mjs': 'other code' }),
      await newRequest({ command: `${RANDOM}; true` }),
      await newRequest({ workspaceId: 'ws2' }),
      await newRequest({ environment: { KEY: 'canary-12345' } }),
      await newRequest({ environment: { KEY: 'canary-54321' } }),
    ];
    for (const request of requests) expect(await cache.apply(request, signal)).toBe(true);
    expect(new Set(await Promise.all(requests.map(done))).size).toBe(requests.length);
    expect((await readdir(dir, { recursive: true })).join('\n')).not.toContain('canary');
  });

  test('has the files and variables of its application only, and keeps what it removes and writes to its home', async () => {
    const { cache } = await newCache();
    const command =
      'env | grep -v ^HOME= | grep -v "/\\." > env.txt; ls -A > files.txt; rm old.txt; echo tool > "$HOME/tool.txt"';
    const request = await newRequest({ command, environment: { KEY: 'value' } }, { 'old.txt': 'old' });
    await writeFile(join(request.homeDir, '..', 'secret-of-the-run.txt'), 'secret');
    expect(await cache.apply(request, signal)).toBe(true);
    const read = (name: string) => readFile(join(request.folder, name), 'utf8');
    // Its own files are named by the shell before they are written.
    expect((await read('files.txt')).trim().split('\n')).toEqual(['env.txt', 'files.txt', 'old.txt']);
    expect(await read('env.txt')).toContain('KEY=value');
    expect(await read('env.txt')).not.toMatch(/REINS_(REQUEST|SESSION|WORKSPACE)|PORT=/);
    expect(await readdir(request.folder)).toEqual(['env.txt', 'files.txt']);
    expect(await readFile(join(request.homeDir, 'tool.txt'), 'utf8')).toBe('tool\n');
  });

  // Without a sandbox, processes have the network of the host.
  if (SANDBOX)
    test('has a network of its own, which ends with it', async () => {
      const { opened, closed, openNetwork } = recordedNetworks();
      const { cache } = await newCache({ openNetwork });
      const requests = [await newRequest({ appId: 'a' }), await newRequest({ appId: 'b', environment: { KEY: 'b' } })];
      for (const [at, request] of requests.entries()) {
        const command = `printenv CANARY > done.txt`;
        expect(await cache.apply({ ...request, command }, signal)).toBe(true);
        expect(await done(request)).toBe(`network-${at + 1}\n`);
        expect(closed).toHaveLength(at + 1);
      }
      expect(opened).toEqual(['setup of a', 'setup of b']);
      expect(await cache.apply(await newRequest({ command: 'exit 3' }), signal)).toBe(false);
      expect(closed).toEqual(['network-1', 'network-2', 'network-3']);
    });

  test.each([
    ['fails', `${RANDOM}; exit 3`],
    ['depends on its folder', 'pwd > where.txt'],
  ])('is not kept if it %s', async (_, command) => {
    const { dir, cache } = await newCache();
    const request = await newRequest({ command });
    expect(await cache.apply(request, signal)).toBe(false);
    expect(await cache.apply(request, signal)).toBe(false);
    expect((await readdir(dir)).filter((name) => !name.startsWith('.'))).toEqual([]);
    expect(await readdir(request.folder)).toEqual(['app.mjs']);
  });

  test('runs again if files of its result are missing', async () => {
    const { dir, cache } = await newCache();
    const first = await newRequest();
    await cache.apply(first, signal);
    const [name = ''] = (await readdir(dir)).filter((each) => !each.startsWith('.'));
    await writeFile(join(dir, name, 'app', 'done.txt'), 'short');
    const second = await newRequest();
    expect(await cache.apply(second, signal)).toBe(true);
    expect(await done(second)).toHaveLength((await done(first)).length);
  });

  test('is removed when no run has used it for a long time, or when newer ones need the space', async () => {
    const { dir, cache } = await newCache({ maxBytes: 2_500 });
    const names = async () => (await readdir(dir).catch(() => [])).filter((name) => !name.startsWith('.'));
    const used = async (command: string) => {
      const before = await names();
      await cache.apply(await newRequest({ command }), signal);
      const [name = ''] = (await names()).filter((each) => !before.includes(each));
      return name;
    };
    const fill = (text: string) => `printf '${text}%01000d' 0 > fill.txt`;
    const [old, recent] = [await used(fill('a')), await used(fill('b'))];
    const dayAgo = new Date(Date.now() - DAY_MS / 2);
    await utimes(recordOf(join(dir, old)), dayAgo, dayAgo);
    const newest = await used(fill('c'));
    await cache.removeUnused();
    expect((await names()).toSorted()).toEqual([recent, newest].toSorted());
    const longAgo = new Date(Date.now() - 2 * DAY_MS);
    await utimes(recordOf(join(dir, recent)), longAgo, longAgo);
    await cache.removeUnused();
    expect(await names()).toEqual([newest]);
  });

  // Without a sandbox, the processes of a run have the rights of the host.
  if (SANDBOX)
    test('is not copied from or to a folder that has become a link', async () => {
      const { cache } = await newCache();
      const [outside, { folder: tree, homeDir }] = [await tempDir('outside'), await newRequest()];
      await writeFile(join(outside, 'secret.txt'), 'secret');
      await symlink(outside, join(tree, 'link'));
      const request = await newRequest({ folder: join(tree, 'link'), tree, homeDir });
      expect(await cache.apply(request, signal)).toBe(false);
      expect(await readdir(outside)).toEqual(['secret.txt']);
      const copy = { from: join(tree, 'link'), to: homeDir, readable: [tree], writable: [homeDir] };
      const context = { ...(await newContext()), sandbox: SANDBOX };
      await expect(copyOfRun(copy, context, signal)).rejects.toThrow(/cannot be copied/);
      await writeFile(join(homeDir, 'new.txt'), 'new');
      const other = { from: homeDir, to: join(tree, 'link'), readable: [homeDir], writable: [tree] };
      await expect(copyOfRun({ ...other, removed: ['secret.txt'] }, context, signal)).rejects.toThrow();
      expect(await readdir(outside)).toEqual(['secret.txt']);
      expect(await readdir(homeDir)).toEqual(['new.txt']);
    });

  test('large sparse files are not read', async () => {
    const { dir, cache } = await newCache({ maxBytes: 1024 * 1024 });
    const made = await newRequest({ command: 'truncate -s 1T large.bin' });
    expect(await cache.apply(made, signal)).toBe(false);
    const given = await newRequest();
    await truncate(join(given.folder, 'app.mjs'), 2 ** 40);
    expect(await cache.apply(given, signal)).toBe(false);
    expect((await readdir(dir)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });

  test('a result that exceeds the limit is not kept', async () => {
    const { dir, cache } = await newCache({ maxBytes: 10 });
    expect(await cache.apply(await newRequest(), signal)).toBe(false);
    expect((await readdir(dir)).filter((name) => !name.startsWith('.'))).toEqual([]);
  });
});
