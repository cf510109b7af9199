import { isUtf8 } from 'node:buffer';
import { mapParallel, type Problem, ReinsError } from '@reins/contracts';
import { type TreeLimits, withDefaults } from '../limits.ts';
import { sha256Of } from '../support/hash.ts';
import { IGNORE_FILE, IgnoreRules } from '../support/ignore-rules.ts';
import type { Tree } from '../tree.ts';
import { staysInside } from './links.ts';
import { type FileMode, manifestOf, type TreeFile, treeIdOf } from './manifest.ts';
import { printablePath, problemOfPath } from './paths.ts';

/** A file in a JSON body. */
export interface TreeEntry {
  readonly path: string;
  readonly content: string;
  /** The encoding of `content`. Default: `utf8`. */
  readonly encoding?: 'utf8' | 'base64';
  /** Default: `644`. */
  readonly mode?: FileMode;
}

export interface EntriesOptions {
  readonly limits?: Partial<TreeLimits>;
  /** Patterns in gitignore syntax to skip, in addition to those in the entries' own `.reinsignore` files. */
  readonly ignore?: readonly string[];
}

const READS_AT_ONCE = 16;
const MAX_PROBLEMS = 100;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Creates a tree from the files of a JSON body. `.reinsignore` applies as in a captured folder, so that the same files
 * give the same tree.
 *
 * @throws ReinsError with all problems: paths, encodings, links, limits, collisions
 */
export function treeFromEntries(entries: readonly TreeEntry[], options: EntriesOptions = {}): Tree {
  const limits = withDefaults(options.limits);
  const problems = entries.flatMap((entry) => problemOfPath(entry.path, limits.maxPathBytes) ?? problemOfEntry(entry));
  if (problems.length > 0) throw new ReinsError(problems.slice(0, MAX_PROBLEMS));

  const rules = new IgnoreRules(options.ignore);
  for (const entry of entries) {
    if (entry.path === IGNORE_FILE) rules.add('', textOf(entry));
    else if (entry.path.endsWith(`/${IGNORE_FILE}`))
      rules.add(entry.path.slice(0, -IGNORE_FILE.length - 1), textOf(entry));
  }
  const kept = entries.filter(({ path }) => !rules.isFileIgnored(path));

  const contents = new Map<string, Uint8Array>();
  const files = kept.map((entry): readonly [string, TreeFile] => {
    const bytes = bytesOf(entry);
    contents.set(entry.path, bytes);
    return [entry.path, { mode: entry.mode ?? '644', sha256: sha256Of(bytes), size: bytes.byteLength }];
  });
  const manifest = manifestOf(files, limits);
  return {
    treeId: treeIdOf(manifest),
    manifest,
    read: async (path) => {
      const bytes = contents.get(path);
      if (bytes) return bytes;
      throw new ReinsError({
        code: 'tree_not_found',
        message: 'the path is not in the tree',
        path: printablePath(path),
      });
    },
  };
}

/** The files of a tree for a JSON body: valid UTF-8 as text, anything else in base64. */
export async function entriesOf(tree: Tree): Promise<TreeEntry[]> {
  return mapParallel([...tree.manifest], READS_AT_ONCE, async ([path, { mode }]) => {
    const bytes = Buffer.from(await tree.read(path));
    return isUtf8(bytes)
      ? { path, mode, encoding: 'utf8', content: bytes.toString('utf8') }
      : { path, mode, encoding: 'base64', content: bytes.toString('base64') };
  });
}

function problemOfEntry(entry: TreeEntry): Problem | readonly Problem[] {
  const path = printablePath(entry.path);
  if (entry.encoding === 'base64' && (entry.content.length % 4 !== 0 || !BASE64.test(entry.content))) {
    return { code: 'tree_manifest_invalid', message: 'the content is not base64', path };
  }
  if (entry.encoding !== 'base64' && !entry.content.isWellFormed()) {
    return {
      code: 'tree_manifest_invalid',
      message: 'the content is not valid Unicode',
      path,
      hint: 'Send it as base64.',
    };
  }
  if (entry.mode === 'link' && !staysInside(entry.path, textOf(entry))) {
    return {
      code: 'tree_entry_refused',
      message: 'the symlink target is outside the tree, or cannot be proven to be inside it',
      path,
    };
  }
  return [];
}

function bytesOf(entry: TreeEntry): Buffer {
  return Buffer.from(entry.content, entry.encoding ?? 'utf8');
}

function textOf(entry: TreeEntry): string {
  return bytesOf(entry).toString('utf8');
}
