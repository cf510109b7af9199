import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isReinsError, type Problem } from '@reins/contracts';
import { folderOf } from '../testing/authored.ts';
import { keptProcess } from './kept-process.ts';
import { type ModuleEntry, readModuleGraph, readProcess } from './module-graph.ts';

const FILES = {
  'process/main.ts': `import type { Shape } from './types.ts';
    import { a } from './lib/a.mjs';
    import data from '../data.json' with { type: 'json' };
    import old from 'old';
    import { defineTask } from '@a5c-ai/babysitter-sdk';
    import { createHash } from 'crypto';
    const later = () => import(\`./lib/later.mjs\`);
    const never = () => import('./missing.mjs');
    export const process = (): Shape | undefined => undefined;`,
  'process/types.ts': 'export interface Shape { a: 1 }',
  'process/lib/a.mjs': `export * from './b.js'; export const a = 1;`,
  'process/lib/b.js': 'export const b = 2;',
  'process/lib/later.mjs': 'export default 3;',
  'process/unused.mjs': 'export default 4;',
  'data.json': '{ "n": 1 }',
  'node_modules/old/package.json': '{ "name": "old", "main": "lib" }',
  'node_modules/old/lib/index.js': `module.exports = { part: require('./part'), gone: () => require('not-installed') };`,
  'node_modules/old/lib/part.js': 'exports.n = 1;',
};

const MODULES = [
  ...['data.json', 'node_modules/old/lib/index.js', 'node_modules/old/lib/part.js', 'process/lib/a.mjs'],
  ...['process/lib/b.js', 'process/lib/later.mjs', 'process/main.ts'],
];

const entry = (root: string, path = 'process/main.ts') => ({ root, path });

const hashOf = async (module: ModuleEntry) => (await readModuleGraph(module)).hash;

async function problemsOf(files: Readonly<Record<string, string>>, path = 'main.mjs') {
  const thrown: unknown = await readModuleGraph({ root: await folderOf(files), path }).catch((error: unknown) => error);
  return isReinsError(thrown) ? thrown.problems.map(({ code, path: at }) => `${code} ${at}`) : thrown;
}

describe('the modules of a process', () => {
  test('are found for every kind of import and language', async () => {
    const graph = await readModuleGraph(entry(await folderOf(FILES)));
    expect(Object.keys(graph.modules).sort()).toEqual(MODULES);
    expect(graph.modules['process/main.ts']?.imports).toEqual({
      './lib/a.mjs': 'process/lib/a.mjs',
      './lib/later.mjs': 'process/lib/later.mjs',
      '../data.json': 'data.json',
      '@a5c-ai/babysitter-sdk': 'reins:babysitter',
      crypto: 'node:crypto',
      old: 'node_modules/old/lib/index.js',
    });
    expect(graph.modules['process/main.ts']?.code).not.toContain('Shape');
    expect(graph.modules['process/lib/b.js']?.format).toBe('module');
    expect(graph.modules['node_modules/old/lib/part.js']?.format).toBe('commonjs');
  });

  test('have the same hash in every folder, regardless of files that are not imported', async () => {
    const [here, there] = [await folderOf(FILES), await folderOf(FILES)];
    const hash = await hashOf(entry(here));
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashOf(entry(there))).toBe(hash);
    writeFileSync(join(there, 'process/unused.mjs'), 'changed');
    writeFileSync(join(there, 'process/types.ts'), 'changed');
    expect(await hashOf(entry(there))).toBe(hash);
  });

  test.each(MODULES)('have another hash when %s changes', async (path) => {
    const root = await folderOf(FILES);
    const hash = await hashOf(entry(root));
    writeFileSync(join(root, path), `${FILES[path as keyof typeof FILES]}\n`);
    expect(await hashOf(entry(root))).not.toBe(hash);
  });

  test('have another hash under another name', async () => {
    const [one, two] = [
      await folderOf({ 'a.mjs': 'export default 1' }),
      await folderOf({ 'a.mjs': 'export default 1' }),
    ];
    renameSync(join(two, 'a.mjs'), join(two, 'b.mjs'));
    expect(await hashOf(entry(one, 'a.mjs'))).not.toBe(await hashOf(entry(two, 'b.mjs')));
  });
});

test('stored code gives the same graph without its files', async () => {
  const root = await folderOf(FILES);
  const { graph, code } = await readProcess(entry(root));
  rmSync(root, { recursive: true });
  expect(await keptProcess(code, root)).toEqual({ ...graph, root });
});

describe('invalid modules', () => {
  test('all problems are reported in one error', async () => {
    const files = {
      'main.mjs': `import 'node:net'; import './a.mjs'; import './missing.mjs'; import '../above.mjs'; import 'not-installed';`,
      'a.mjs': `import https from 'https'; export const broken = ;`,
      '../above.mjs': '',
    };
    expect(await problemsOf(files)).toEqual([
      'process_import_refused main.mjs → node:net',
      'process_import_refused main.mjs → ./missing.mjs',
      'process_import_refused main.mjs → ../above.mjs',
      'process_import_refused main.mjs → not-installed',
      'process_invalid a.mjs',
    ]);
  });

  test('a syntax error is reported with its line', async () => {
    const wrong = 'const a = 1;\n  const b = ;\n';
    const root = await folderOf({
      'main.mjs': `import './js.mjs'; import './ts.ts'; import './enum.ts';`,
      'js.mjs': wrong,
      'ts.ts': wrong,
      'enum.ts': 'export const a = 1;\nenum Colour { Red }\n',
    });
    const { problems } = await readModuleGraph(entry(root, 'main.mjs')).catch((error) => error);
    const found = problems.map(({ path, message }: Problem) => [path, message.replace(/.*(?=\()/, '')]);
    expect(Object.fromEntries(found)).toEqual({ 'js.mjs': '(2:12)', 'ts.ts': '(2:12)', 'enum.ts': '(2:0)' });
  });

  test('rejects a missing module, a folder, and a module outside of the root', async () => {
    expect(await problemsOf({}, 'main.mjs')).toEqual(['process_not_found main.mjs']);
    expect(await problemsOf({ 'a/b.mjs': '' }, 'a')).toEqual(['process_not_found a']);
    expect(await problemsOf({}, '../../../etc/hostname')).toEqual(['process_import_refused ../../../etc/hostname']);
    await expect(readModuleGraph({ root: '/nowhere', path: 'a.mjs' })).rejects.toMatchObject({
      code: 'process_not_found',
    });
  });

  test('rejects a symbolic link as the module or in its path', async () => {
    const root = await folderOf({ 'real/a.mjs': '', 'main.mjs': `import './linked/a.mjs';` });
    symlinkSync(join(root, 'real'), join(root, 'linked'));
    symlinkSync(join(root, 'main.mjs'), join(root, 'link.mjs'));
    const refused = { code: 'process_import_refused', message: 'a symbolic link leads to it' };
    await expect(readModuleGraph(entry(root, 'main.mjs'))).rejects.toMatchObject(refused);
    await expect(readModuleGraph(entry(root, 'link.mjs'))).rejects.toMatchObject(refused);
  });

  test('rejects a folder whose name contains a wildcard', async () => {
    const root = await folderOf({ '*/main.mjs': '' });
    await expect(readModuleGraph(entry(join(root, '*'), 'main.mjs'))).rejects.toMatchObject({
      code: 'process_import_refused',
      message: expect.stringContaining('contains a *'),
    });
  });

  test('rejects a module in a folder of Reins, at any depth', async () => {
    const files = {
      'main.mjs': `import './.reins/x.mjs'; import config from './sub/.reins/config.json' with { type: 'json' };`,
      '.reins/x.mjs': '',
      'sub/.reins/config.json': '{"seed":"SU"}',
    };
    expect(await problemsOf(files)).toEqual([
      'process_import_refused main.mjs → ./.reins/x.mjs',
      'process_import_refused main.mjs → ./sub/.reins/config.json',
    ]);
    expect(await problemsOf(files, '.reins/x.mjs')).toEqual(['process_import_refused .reins/x.mjs']);
  });
});

describe('special files in place of modules and manifests', () => {
  const SECRET = 'SUAB7F3SECRETSEED';
  const PLACES = {
    'the manifest of the root': { main: 'main.js', source: '', file: 'package.json' },
    'the manifest of a package': { main: 'main.mjs', source: `import 'evil';`, file: 'node_modules/evil/package.json' },
    'the manifest of a scoped package': {
      main: 'main.mjs',
      source: `import '@very/evil/part';`,
      file: 'node_modules/@very/evil/package.json',
    },
    'the manifest of a required package': {
      main: 'main.cjs',
      source: `require('evil');`,
      file: 'node_modules/evil/package.json',
    },
    'the manifest of internal imports': { main: 'main.mjs', source: `import '#evil';`, file: 'package.json' },
    'a module': { main: 'main.mjs', source: `import './evil.mjs';`, file: 'evil.mjs' },
  };
  const PUT: Readonly<Record<string, (path: string) => void>> = {
    'a link to a secret': (path) => {
      writeFileSync(`${path}-secret`, SECRET);
      symlinkSync(`${path}-secret`, path);
    },
    'a link to a device': (path) => symlinkSync('/dev/zero', path),
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a sparse file of 4 GB': (path) => {
      writeFileSync(path, '');
      truncateSync(path, 4e9);
    },
    'a folder': (path) => void mkdirSync(path),
  };
  const cases = Object.keys(PLACES).flatMap((place) => Object.keys(PUT).map((what) => [place, what] as const));

  test.each(cases)('%s: %s', async (place, what) => {
    const { main, source, file } = PLACES[place as keyof typeof PLACES];
    const root = await folderOf({
      [main]: source,
      'node_modules/evil/i.js': '',
      'node_modules/@very/evil/part.js': '',
    });
    PUT[what]?.(join(root, file));
    const thrown: unknown = await readModuleGraph({ root, path: main }).catch((error: unknown) => error);
    if (!isReinsError(thrown)) throw new Error('the file was read');
    expect(thrown.problems.map(({ code }) => code)).toContain('process_import_refused');
    expect(JSON.stringify(thrown.problems)).not.toContain(SECRET.slice(0, 4));
  });

  test('a manifest that is not JSON is rejected without quoting its content', async () => {
    const root = await folderOf({ 'main.js': '', 'package.json': SECRET });
    await expect(readModuleGraph({ root, path: 'main.js' })).rejects.toMatchObject({
      code: 'process_invalid',
      message: 'package.json is not a JSON object',
    });
  });
});
