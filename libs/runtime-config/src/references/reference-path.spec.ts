import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { problemsOf } from '../testing/expect-problem.ts';
import { referencePath } from './reference-path.ts';

describe('reference paths', () => {
  test.each(['../x.yaml', '/etc/passwd', '..', 'a/../../x', '', '  ', '.', 'a/..', 'a\0b'])('rejects %j', (path) => {
    expect(problemsOf(() => referencePath(path))[0]?.code).toBe('reference_path_invalid');
  });

  test.each([
    ['apps/a/app.runtime.yaml', 'apps/a/app.runtime.yaml'],
    ['a/../b.yaml', 'b.yaml'],
    ['apps/./a.yaml', 'apps/a.yaml'],
    ['..foo/x.yaml', '..foo/x.yaml'],
    ['...', '...'],
    ['~/x.yaml', '~/x.yaml'],
  ])('normalises %j to %j', (path, clean) => {
    expect(referencePath(path)).toBe(clean);
  });

  test('property: an accepted path stays in the workspace', () => {
    const segment = fc.oneof(fc.constantFrom('..', '.', '', '...', 'a', 'b.yaml'), fc.string({ maxLength: 5 }));
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const path = segments.join('/');
        let clean: string;
        try {
          clean = referencePath(path);
        } catch {
          return;
        }
        expect(posix.resolve('/workspace', clean).startsWith('/workspace/')).toBe(true);
      }),
    );
  });
});
