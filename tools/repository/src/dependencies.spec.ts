import { expect, test } from '@jest/globals';
import { productionProblems, versionProblems } from './dependencies.mjs';

const pack = (root: string, manifest: object) => ({ root, manifest });

test('a dependency has one exact version in the repository, and a sibling is *', () => {
  expect(
    versionProblems([
      pack('libs/a', { dependencies: { ajv: '8.20.0', '@reins/b': '*' } }),
      pack('libs/b', { devDependencies: { ajv: '8.20.0' }, optionalDependencies: { pi: '1.0.0-beta.1' } }),
      pack('libs/c', { dependencies: { 'ajv-9': 'npm:ajv@9.0.0' } }),
    ]),
  ).toEqual([]);
  expect(
    versionProblems([
      pack('libs/a', { dependencies: { ajv: '8.20.0', pg: '^8.0.0', '@reins/b': '0.1.0' } }),
      pack('libs/b', { devDependencies: { ajv: '^8.17.1' } }),
    ]),
  ).toEqual([
    'ajv has several versions: 8.20.0 in libs/a, ^8.17.1 in libs/b',
    'pg must have an exact version (got ^8.0.0 in libs/a)',
    '@reins/b must have the version * (got 0.1.0 in libs/a)',
  ]);
});

test('test helpers are no production dependency of a lib or a service', () => {
  expect(
    productionProblems([
      pack('services/a', { dependencies: { '@reins/testing': '*' } }),
      pack('services/b', { devDependencies: { '@reins/testing': '*' } }),
      pack('tools/c', { dependencies: { '@reins/testing': '*' } }),
    ]),
  ).toEqual(['services/a/package.json: @reins/testing must be a devDependency']);
});
