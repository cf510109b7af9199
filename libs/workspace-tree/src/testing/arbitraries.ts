import { isReinsError } from '@reins/contracts';
import fc from 'fast-check';
import type { TreeEntry } from '../manifest/entries.ts';
import { type FileMode, type Manifest, manifestOf } from '../manifest/manifest.ts';
import { pathCollisions, problemOfPath } from '../manifest/paths.ts';
import { sha256Of } from '../support/hash.ts';

/** Valid names, ordinary and unusual ones. */
const names = fc.oneof(
  fc.constantFrom('a', 'b', 'src', 'index.ts', '-x', ' ', 'ü', '日本', '__proto__', '.hidden', '#', '!x', 'a*b', '🦊'),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
);

const paths = fc
  .array(names, { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'))
  .filter((path) => problemOfPath(path, 1024) === undefined);

/** Sets of paths without collisions. */
const pathSets = (minLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(paths, { minLength, maxLength: 12 }).filter((list) => pathCollisions(list).length === 0);

const modes = fc.constantFrom<FileMode>('644', '755');

export const manifests = (minLength = 0): fc.Arbitrary<Manifest> =>
  pathSets(minLength).chain((list) =>
    fc
      .tuple(...list.map(() => fc.tuple(modes, fc.string(), fc.nat(1_000_000))))
      .map((files) =>
        manifestOf(
          files.map(([mode, text, size], index) => [list[index] as string, { mode, sha256: sha256Of(text), size }]),
        ),
      ),
  );

/** Files with contents, and links between them, as in an upload. */
export const entryLists: fc.Arbitrary<TreeEntry[]> = pathSets(0).chain((list) =>
  fc
    .tuple(
      ...list.map(() => fc.tuple(fc.constantFrom<FileMode>('644', '755', 'link'), fc.uint8Array({ maxLength: 300 }))),
    )
    .map((files) =>
      files.map(([mode, bytes], index): TreeEntry => {
        const path = list[index] as string;
        if (mode === 'link')
          return { path, mode, content: list[(index * 7 + bytes.length) % list.length]?.split('/')[0] ?? 'x' };
        return { path, mode, encoding: 'base64', content: Buffer.from(bytes).toString('base64') };
      }),
    ),
);

/** The problem codes of the error that `work` throws; empty when it succeeds. */
export async function codesOf(work: () => unknown): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (isReinsError(error)) return error.problems.map(({ code }) => code);
    throw error;
  }
}
