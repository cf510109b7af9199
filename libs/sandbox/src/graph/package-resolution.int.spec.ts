import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { moduleResolve } from 'import-meta-resolve';
import { folderOf } from '../testing/authored.ts';
import { resolveFrom } from './package-resolution.ts';

const json = JSON.stringify;
const EXPORTS = {
  '.': { require: './lib/old.cjs', import: { node: './lib/new.mjs', default: './lib/other.mjs' } },
  './feature': './lib/feature.mjs',
  './features/*': './lib/features/*.mjs',
  './features/private/*': null,
  './list': [{ browser: './lib/x.mjs' }, 'bad', './lib/feature.mjs'],
  './out': '../../secret.mjs',
  './out/*': './lib/*',
  './nested': './node_modules/deep/index.js',
  './none': { browser: './lib/x.mjs' },
  './missing': './lib/missing.mjs',
  './*.js': './lib/features/*.mjs',
};
const FILES = {
  'package.json': json({
    name: 'self',
    exports: { './a': './a.mjs' },
    imports: {
      '#a': './a.mjs',
      '#dep': 'plain',
      '#dep/*': 'pack/features/*',
      '#deny': null,
      '#url': 'file:///etc/passwd',
      '#if': { node: './a.mjs', default: 'plain' },
    },
  }),
  'a.mjs': '',
  'a b.mjs': '',
  'secret.mjs': '',
  'sub/main.mjs': '',
  'node_modules/plain/package.json': json({ main: 'lib' }),
  'node_modules/plain/lib/index.js': '',
  'node_modules/plain/lib/part.js': '',
  'node_modules/bare/index.js': '',
  'node_modules/lodash.get/package.json': json({ main: './main' }),
  'node_modules/lodash.get/main.js': '',
  'node_modules/@scope/pkg/package.json': json({ exports: './main.mjs' }),
  'node_modules/@scope/pkg/main.mjs': '',
  'node_modules/pack/package.json': json({ name: 'pack', exports: EXPORTS }),
  'node_modules/mixed/package.json': json({ exports: { '.': './a.mjs', import: './a.mjs' } }),
  'node_modules/mixed/a.mjs': '',
  ...Object.fromEntries(
    ['old.cjs', 'new.mjs', 'other.mjs', 'feature.mjs', 'features/one.mjs', 'features/private/two.mjs', 'x.mjs'].map(
      (name) => [`node_modules/pack/lib/${name}`, ''],
    ),
  ),
  'sub/node_modules/plain/index.js': '',
};

const SPECIFIERS = [
  ...['./main.mjs', '../a.mjs', '../a%20b.mjs', '../a.mjs?x', '../none.mjs', '..', './', '../sub', '../a%2fb.mjs'],
  ...[
    'plain',
    'plain/lib/part.js',
    'plain/lib/part',
    'plain/',
    'bare',
    'bare/index.js',
    'lodash.get',
    '@scope/pkg',
    '@scope/pkg/main.mjs',
  ],
  ...[
    'pack',
    'pack/feature',
    'pack/features/one',
    'pack/features/private/two',
    'pack/features/none',
    'pack/list',
    'pack/out',
  ],
  ...[
    'pack/out/../../../secret.mjs',
    'pack/out/%2e%2e/x',
    'pack/nested',
    'pack/none',
    'pack/missing',
    'pack/one.js',
    'pack/lib/new.mjs',
  ],
  ...['mixed', 'self/a', 'self', 'self/b', '#a', '#dep', '#dep/one', '#deny', '#url', '#if', '#none', '#', '#/x'],
  ...[
    '@scope',
    '@',
    '.hidden',
    'file:///etc/passwd',
    'https://example.com/x.mjs',
    'data:text/javascript,1',
    'a\\b',
    '',
    '/etc/none',
  ],
];

let root = '';
beforeAll(async () => {
  root = realpathSync(await folderOf(FILES));
});

const manifestIn = (folder: string): JsonObject | undefined => {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as JsonObject) : undefined;
};

function expected(specifier: string, from: string, conditions: ReadonlySet<string>): string | undefined {
  try {
    const url = moduleResolve(specifier, pathToFileURL(from), new Set(conditions), true);
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

test.each(SPECIFIERS)('%j resolves as in Node.js', (specifier) => {
  for (const from of ['sub/main.mjs', 'a.mjs', 'node_modules/pack/lib/new.mjs'])
    for (const conditions of [new Set(['node', 'import']), new Set(['node', 'require'])]) {
      const file = join(root, from);
      const wanted = expected(specifier, file, conditions);
      expect([from, resolveFrom(specifier, file, { manifestIn, conditions })]).toEqual([from, wanted]);
    }
});
