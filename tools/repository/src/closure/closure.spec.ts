import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { productionClosure } from './closure.mjs';

let root = '';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'closure-'));
  const packages = {
    'services/a': {
      dependencies: { '@reins/b': '*', x: '1.0.0' },
      devDependencies: { only: '1.0.0' },
      optionalDependencies: { extra: '1.0.0', absent: '1.0.0' },
    },
    'libs/b': { dependencies: { x: '2.0.0' } },
    'node_modules/@reins/b': { link: true, resolved: 'libs/b' },
    'node_modules/x': {},
    'libs/b/node_modules/x': { peerDependencies: { y: '1' } },
    'node_modules/y': {},
    'node_modules/only': {},
    'node_modules/extra': {},
    'node_modules/absent': {},
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
  for (const folder of ['services/a', ...Object.keys(packages).filter((at) => !at.endsWith('absent'))]) {
    mkdirSync(join(root, dirname(folder)), { recursive: true });
    mkdirSync(join(root, folder), { recursive: true });
    writeFileSync(join(root, folder, 'index.js'), 'x'.repeat(10));
  }
});

afterAll(() => rmSync(root, { recursive: true }));

test('has what an installation without development dependencies has', () => {
  expect(productionClosure(root, 'services/a')).toEqual({
    packages: ['libs/b/node_modules/x', 'node_modules/extra', 'node_modules/x', 'node_modules/y'],
    siblings: ['libs/b'],
    bytes: 40,
  });
});
