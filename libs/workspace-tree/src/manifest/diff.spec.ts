import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { manifests } from '../testing/arbitraries.ts';
import { diff, sameFile } from './diff.ts';
import type { Manifest, TreeFile } from './manifest.ts';

const file = (sha256: string, mode: TreeFile['mode'] = '644'): TreeFile => ({ mode, sha256, size: 1 });

/** Two manifests with some common paths and files. */
const pairs = fc.tuple(manifests(), manifests(), fc.nat()).map(([a, b, seed]): [Manifest, Manifest] => {
  const shared = [...a].filter((_, index) => (seed >> (index % 16)) % 2 === 0);
  return [a, new Map([...b, ...shared])];
});

describe('diff', () => {
  it('lists added, modified and deleted files, ordered by path', () => {
    const a = new Map([
      ['gone', file('1')],
      ['same', file('2')],
      ['text', file('3')],
      ['tool', file('4')],
    ]);
    const b = new Map([
      ['new', file('5')],
      ['same', file('2')],
      ['text', file('6')],
      ['tool', file('4', '755')],
    ]);
    expect(diff(a, b).map(({ path, change }) => `${change} ${path}`)).toEqual([
      'deleted gone',
      'added new',
      'modified text',
      'modified tool',
    ]);
  });

  it('is symmetric', () => {
    const mirrored = { added: 'deleted', deleted: 'added', modified: 'modified' };
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const back = diff(b, a).map(({ path, change }) => [path, mirrored[change]]);
        expect(diff(a, b).map(({ path, change }) => [path, change])).toEqual(back);
      }),
    );
  });

  it('turns one tree into the other, and is empty only for equal trees', () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const made = new Map(a);
        for (const change of diff(a, b)) {
          if (change.change === 'deleted') made.delete(change.path);
          else made.set(change.path, change.after);
        }
        expect(new Map([...made].sort())).toEqual(new Map([...b].sort()));
        expect(diff(a, a)).toEqual([]);
        expect([...a].every(([path, before]) => sameFile(before, a.get(path) as TreeFile))).toBe(true);
      }),
    );
  });
});
