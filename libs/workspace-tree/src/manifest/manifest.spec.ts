import { describe, expect, it } from '@jest/globals';
import { isReinsError } from '@reins/contracts';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { sha256Of } from '../support/hash.ts';
import { manifests } from '../testing/arbitraries.ts';
import { type Manifest, manifestOf, manifestText, parseManifest, type TreeFile, treeIdOf } from './manifest.ts';

const HASH = sha256Of('x');
const file = (size = 1): TreeFile => ({ mode: '644', sha256: HASH, size });

function problemsOf(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (isReinsError(error)) return error.problems.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  return [];
}

describe('the tree id', () => {
  it('is the hash of the canonical manifest', () => {
    const manifest = manifestOf([
      ['b.txt', { mode: '755', sha256: HASH, size: 2 }],
      ['a/ü', file()],
    ]);
    const text = `{"a/ü":{"mode":"644","sha256":"${HASH}","size":1},"b.txt":{"mode":"755","sha256":"${HASH}","size":2}}`;
    expect(manifestText(manifest)).toBe(text);
    expect(treeIdOf(manifest)).toBe(sha256Of(text));
    expect(treeIdOf(new Map())).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
  });

  it('uses the RFC 8785 form for any paths', () => {
    fc.assert(
      fc.property(manifests(), (manifest) => {
        const plain = JSON.parse(manifestText(manifest)) as unknown;
        expect(manifestText(manifest)).toBe(canonicalize(plain));
      }),
    );
  });

  it('depends on everything except the order of the files', () => {
    fc.assert(
      fc.property(manifests(1), fc.nat(), (manifest, seed) => {
        const files = [...manifest];
        const reordered = [...files.slice(seed % files.length), ...files.slice(0, seed % files.length)].reverse();
        expect(treeIdOf(manifestOf(reordered))).toBe(treeIdOf(manifest));
        expect(treeIdOf(manifestOf(files.slice(1)))).not.toBe(treeIdOf(manifest));
      }),
    );
  });

  it('survives a round trip through JSON', () => {
    fc.assert(
      fc.property(manifests(), (manifest: Manifest) => {
        expect([...parseManifest(manifestText(manifest))]).toEqual([...manifest]);
      }),
    );
  });
});

describe('an untrusted manifest', () => {
  it.each([
    ['../up', 'tree_path_refused'],
    ['a/../../up', 'tree_path_refused'],
    ['a/./b', 'tree_path_refused'],
    ['/etc/passwd', 'tree_path_refused'],
    ['a//b', 'tree_path_refused'],
    ['a/', 'tree_path_refused'],
    ['', 'tree_path_refused'],
    ['.', 'tree_path_refused'],
    ['..\\up', 'tree_path_refused'],
    ['C:\\x', 'tree_path_refused'],
    ['a\u0000b', 'tree_path_refused'],
    ['a\nb', 'tree_path_refused'],
    ['\ud800', 'tree_path_refused'],
    ['.git/hooks/pre-commit', 'tree_path_refused'],
    ['a/.GIT/config', 'tree_path_refused'],
    ['.g\u200cit/config', 'tree_path_refused'],
    ['.git./config', 'tree_path_refused'],
    ['GIT~1/config', 'tree_path_refused'],
    ['.reins-staging-1/x', 'tree_path_refused'],
    [`${'n'.repeat(256)}`, 'tree_path_refused'],
    [`${'deep/'.repeat(300)}x`, 'tree_limit_exceeded'],
  ])('is rejected with the path %j', (path, code) => {
    const text = JSON.stringify(Object.fromEntries([[path, file()]]));
    expect(problemsOf(() => parseManifest(text))).toEqual([expect.stringMatching(new RegExp(`^${code} `))]);
  });

  it.each([
    ['the same name in another case', ['README', 'readme']],
    ['the same name in another Unicode form', ['caf\u00e9', 'cafe\u0301']],
    ['a file where another path needs a folder', ['a', 'a/b']],
    ['a file where another path needs a folder in another case', ['A', 'a/b']],
    ['a folder in two cases', ['A/x', 'a/y']],
    ['an invisible character', ['ab', 'a\u200db']],
  ])('is rejected with %s', (_, paths) => {
    expect(problemsOf(() => manifestOf(paths.map((path) => [path, file()])))).toHaveLength(1);
  });

  it('is rejected with a duplicate path', () => {
    expect(
      problemsOf(() =>
        manifestOf([
          ['a', file()],
          ['a', file()],
        ]),
      ),
    ).toEqual(['tree_path_refused a']);
  });

  it.each([
    'null',
    '[]',
    '{',
    '{"a":null}',
    `{"a":{"mode":"4755","sha256":"${HASH}","size":1}}`,
    `{"a":{"mode":"644","sha256":"${HASH.toUpperCase()}","size":1}}`,
    `{"a":{"mode":"644","sha256":"${HASH}","size":-1}}`,
    `{"a":{"mode":"644","sha256":"${HASH}","size":1.5}}`,
    `{"a":{"mode":"644","sha256":"${HASH}","size":1,"more":1}}`,
  ])('is rejected when it is %s', (text) => {
    expect(problemsOf(() => parseManifest(text))).toEqual([expect.stringMatching(/^tree_manifest_invalid /)]);
  });

  it('accepts property names of Object.prototype as paths', () => {
    const paths = ['__proto__', 'constructor', 'hasOwnProperty', 'toString/valueOf'];
    const manifest = manifestOf(paths.map((path) => [path, file()]));
    expect([...parseManifest(manifestText(manifest)).keys()]).toEqual([...paths].sort());
  });

  it('enforces the limits and reports all problems', () => {
    const files: [string, TreeFile][] = [
      ['a', file(60)],
      ['b', file(5)],
      ['/c', file(60)],
      ['d', file(60)],
    ];
    expect(problemsOf(() => manifestOf(files, { maxFiles: 3, maxBytes: 100, maxFileBytes: 50 })).sort()).toEqual([
      'tree_limit_exceeded a',
      'tree_limit_exceeded d',
      'tree_limit_exceeded undefined',
      'tree_limit_exceeded undefined',
      'tree_path_refused /c',
    ]);
  });
});
