import { expect, test } from '@jest/globals';
import { moduleExports } from './module-exports.ts';

test('lists the exports of every form', () => {
  const source = `export const a = 1, { b, c: [d, ...e], ...f } = {}, [g = 2] = [];
export function h() {}
export class I {}
const j = 1;
export { j, j as k, j as 'l-m' };
export * as n from './n.mjs';
export default function o() {}`;
  expect(moduleExports('x.mjs', source)).toEqual({
    names: ['a', 'b', 'd', 'e', 'f', 'g', 'h', 'I', 'j', 'k', 'l-m', 'n', 'default'],
    complete: true,
    defaultMayHaveMembers: false,
  });
});

test.each([
  ['another module', 'x.mjs', "export * from './y.mjs'; export const a = 1;", { names: ['a'], complete: false }],
  ['CommonJS', 'x.cjs', 'exports.a = 1;', { names: [], complete: false, defaultMayHaveMembers: true }],
  ['types', 'x.ts', 'export type T = string; export const a: T = "";', { names: ['a'], complete: true }],
  ['an object', 'x.js', 'export default { a() {} };', { names: ['default'], defaultMayHaveMembers: true }],
])('knows what it cannot know: %s', (_, path, source, found) => {
  expect(moduleExports(path, source)).toMatchObject(found);
});

test('a syntax error has its position', () => {
  expect(() => moduleExports('x.mjs', 'export const a = 1;\nexport const = 2;')).toThrow(/\(2:13\)/);
  expect(() => moduleExports('x.ts', 'const a: = 1;')).toThrow(SyntaxError);
});
