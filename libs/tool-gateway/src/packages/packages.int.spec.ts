import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import type { ServerPackage } from '@reins/runtime-config';
import { tempDir } from '@reins/testing';
import { type PackageRegistry, startPackageRegistry } from '../testing/package-registry.ts';
import { call, endAll, local, newContext, start } from '../testing/services-fixture.ts';
import { PackageCache } from './package-cache.ts';

const NPM: ServerPackage = { registry: 'npm', name: 'some-server', version: '1.0.0' };
const PYPI: ServerPackage = { ...NPM, registry: 'pypi' };
const { signal } = new AbortController();
const RECORD = '.reins-package.json';
/** As on a host: homes are visible, because Python may be installed there. */
const { sandbox: whole } = await newContext();
const SANDBOX = whole && { ...whole, hidden: whole.hidden.filter((path) => path !== '/root' && path !== '/home') };

let registry: PackageRegistry;
beforeAll(async () => {
  registry = await startPackageRegistry();
});
afterEach(async () => expect(await endAll()).toEqual([]));
afterAll(() => registry.close());

async function newCache(variables: Readonly<Record<string, string>> = registry.variables, dir?: string) {
  const folder = dir ?? (await tempDir('packages'));
  const path = process.env.PATH ?? '';
  const newToken = () => `packages-${randomBytes(8).toString('hex')}`;
  return { dir: folder, cache: new PackageCache({ dir: folder, path, variables, sandbox: SANDBOX, newToken }) };
}

const use = (cache: PackageCache, item: ServerPackage, steps: string[] = []) =>
  cache.use(item, () => steps.push(item.name), signal);

const problemOf = (cache: PackageCache, item: ServerPackage) =>
  use(cache, item).then(
    () => undefined,
    (error: unknown) => (isReinsError(error) ? error.problems[0] : error),
  );

const visible = async (dir: string) => (await readdir(dir)).filter((name) => !name.startsWith('.'));

describe.each([NPM, PYPI])('a package from $registry', (item) => {
  test('is installed once, and its server runs in the sandbox', async () => {
    const { dir, cache } = await newCache();
    const context = { ...(await newContext()), sandbox: SANDBOX, packages: cache };
    const steps: string[] = [];
    const server = local('notes', 'well', { command: [], package: item });
    const services = await start({ mcp_servers: [server] }, { ...context, onStep: (label) => steps.push(label) });
    expect(services.unavailable).toEqual([]);
    expect((await call(services, 'mcp__notes__origin')).text).toContain(item.registry);
    expect(steps).toEqual([
      `installing ${item.registry}:some-server@1.0.0`,
      'starting MCP servers notes',
      'waiting for the tools of notes',
    ]);
    const before = [...registry.downloads];
    const again = await start({ mcp_servers: [server] }, { ...context, onStep: (label) => steps.push(label) });
    expect((await call(again, 'mcp__notes__origin')).isError).toBe(false);
    expect(steps.slice(3)).toEqual(['starting MCP servers notes', 'waiting for the tools of notes']);
    expect([...registry.downloads]).toEqual(before);
    const [name = '', ...others] = await visible(dir);
    expect(others).toEqual([]);
    expect(name).toMatch(new RegExp(`^${item.registry}-some-server-[0-9a-f]{32}$`));
  });

  test('is refused when its hash differs', async () => {
    const { dir, cache } = await newCache();
    const right = item.registry === 'npm' ? registry.npmIntegrity : registry.wheelHash;
    const wrong = item.registry === 'npm' ? `sha512-${'A'.repeat(86)}==` : `sha256:${'0'.repeat(64)}`;
    expect(await problemOf(cache, { ...item, integrity: wrong })).toMatchObject({
      code: 'mcp_package_invalid',
      message: `${item.registry}:some-server@1.0.0: its hash differs from \`integrity\` (found ${right})`,
    });
    expect(await visible(dir)).toEqual([]);
    await use(cache, item);
    await use(cache, { ...item, integrity: right });
    expect(await problemOf(cache, { ...item, integrity: wrong })).toMatchObject({ code: 'mcp_package_invalid' });
    expect(await visible(dir)).toHaveLength(1);
  });

  test('that does not exist, or not in this version, is reported', async () => {
    const { cache } = await newCache();
    const title = item.registry === 'npm' ? 'npm' : 'PyPI';
    expect(await problemOf(cache, { ...item, name: 'no-such-server' })).toMatchObject({
      code: 'mcp_package_not_found',
      message: expect.stringContaining(
        `${item.registry}:no-such-server@1.0.0: ${title} has no package 'no-such-server'`,
      ),
      hint: 'Correct the name of the package.',
    });
    expect(await problemOf(cache, { ...item, version: '9.9.9' })).toMatchObject({
      code: 'mcp_package_not_found',
      message: expect.stringContaining(`${title} has no version 9.9.9 of 'some-server'`),
      hint: expect.stringMatching(/npm view some-server versions|pip index versions some-server/),
    });
  });

  test('is reported when its registry cannot be reached', async () => {
    const nowhere = 'http://127.0.0.1:9/';
    const { cache } = await newCache({
      npm_config_registry: nowhere,
      PIP_INDEX_URL: nowhere,
      PIP_CONFIG_FILE: '/dev/null',
    });
    expect(await problemOf(cache, item)).toMatchObject({
      code: 'mcp_package_unreachable',
      message: expect.stringMatching(/cannot be reached: .*refused/i),
    });
  });

  test('is reported when the host lacks the tools', async () => {
    const empty = await tempDir('path');
    const cache = new PackageCache({ dir: empty, path: empty, variables: {}, sandbox: SANDBOX, newToken: () => 'x' });
    expect(await problemOf(cache, item)).toMatchObject({
      code: 'mcp_package_tool_missing',
      message: expect.stringMatching(/the host lacks (node|python3), which installs the package$/),
    });
  });
});

test('a package is installed by two hosts at once', async () => {
  const { dir, cache } = await newCache();
  const other = (await newCache(registry.variables, dir)).cache;
  const found = await Promise.all([use(cache, NPM), use(cache, NPM), use(other, NPM)]);
  expect(new Set(found.map(({ folder }) => folder)).size).toBe(1);
  expect(await readdir(dir)).toHaveLength(1);
});

test('a package is installed again when a file of it is missing or shorter, or when its installation was interrupted', async () => {
  const { dir, cache } = await newCache();
  const steps: string[] = [];
  const { folder } = await use(cache, NPM, steps);
  const [path = ''] = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('main.mjs'));
  await writeFile(join(folder, path), '');
  await use(cache, NPM, steps);
  expect(await readFile(join(folder, path), 'utf8')).toContain('tools/list');
  await rm(join(folder, path));
  await use(cache, NPM, steps);
  await rm(join(folder, RECORD));
  await use(cache, NPM, steps);
  expect(steps).toHaveLength(4);
  expect(await readdir(dir)).toHaveLength(1);
});

test('scripts of npm packages do not run', async () => {
  const { cache } = await newCache();
  const { folder } = await use(cache, NPM);
  expect((await readdir(folder, { recursive: true })).filter((name) => name.includes('scripts-ran'))).toEqual([]);
});

test('an installation stops when no caller waits for it any more', async () => {
  const { dir, cache } = await newCache();
  const stop = new AbortController();
  const first = cache.use(NPM, () => stop.abort(new Error('cancelled')), stop.signal);
  await expect(first).rejects.toThrow('cancelled');
  await use(cache, NPM);
  expect(await visible(dir)).toHaveLength(1);
});

test('a command names a program of the package, or one of the host', async () => {
  const { cache } = await newCache();
  const context = { ...(await newContext()), sandbox: SANDBOX, packages: cache };
  const server = (name: string, command: readonly string[]) => local(name, 'well', { command, package: NPM });
  const services = await start(
    {
      mcp_servers: [
        server('own', ['some-server', '--all']),
        server('shell', ['sh', '-c', 'exec some-server from a shell']),
        server('typo', ['some-sever']),
      ],
    },
    context,
  );
  expect((await call(services, 'mcp__own__origin')).text).toBe('npm 1.0.0 --all');
  expect((await call(services, 'mcp__shell__origin')).text).toBe('npm 1.0.0 from a shell');
  expect(services.unavailable).toMatchObject([
    {
      serverId: 'typo',
      reason: expect.stringMatching(/^mcp_package_invalid: .* no?.*'some-sever'.* Did you mean 'some-server'\?$/),
    },
  ]);
  expect(services.started.find(({ serverId }) => serverId === 'typo')).toMatchObject({
    toolNames: [],
    problem: { code: 'mcp_package_invalid' },
  });
});

test('packages that no stage uses, and what killed hosts left, are removed after some time', async () => {
  const { dir, cache } = await newCache();
  const { folder } = await use(cache, NPM);
  const left = join(dir, '.left');
  await mkdir(left);
  const long = new Date(Date.now() - 31 * 24 * 3_600_000);
  await utimes(left, long, long);
  await cache.removeUnused();
  expect([existsSync(folder), existsSync(left)]).toEqual([true, false]);
  await utimes(join(folder, RECORD), long, long);
  await use(cache, NPM);
  await cache.removeUnused();
  expect(existsSync(folder)).toBe(true);
  await utimes(join(folder, RECORD), long, long);
  await cache.removeUnused();
  expect(await readdir(dir)).toEqual([]);
});
