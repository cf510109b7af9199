import { isUtf8 } from 'node:buffer';
import { type Problem, ReinsError } from '@reins/contracts';
import { type TreeLimits, withDefaults } from '../limits.ts';
import { sha256Of } from '../support/hash.ts';
import { IGNORE_FILE, IgnoreRules } from '../support/ignore-rules.ts';
import { mapParallel } from '../support/parallel.ts';
import type { Tree } from '../tree.ts';
import { staysInside } from './links.ts';
import { type FileMode, manifestOf, type TreeFile, treeIdOf } from './manifest.ts';
import { printablePath, problemOfPath } from './paths.ts';

/** A file as it travels in a JSON body. */
export interface TreeEntry {
  readonly path: string;
  readonly content: string;
  /** How `content` holds the bytes; `utf8` when nothing is said. */
  readonly encoding?: 'utf8' | 'base64';
  /** `644` when nothing is said. */
  readonly mode?: FileMode;
}

export interface EntriesOptions {
  readonly limits?: Partial<TreeLimits>;
  /** Patterns in gitignore syntax that are left out, beside what the entries' own `.reinsignore` files say. */
  readonly ignore?: readonly string[];
}

const READS_AT_ONCE = 16;
const MAX_PROBLEMS = 100;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The tree of files that came in a body. What `.reinsignore` leaves out in a folder is left out here too, so that the same
 * files are the same tree both ways.
 *
 * @throws ReinsError with all that is wrong: paths, encodings, links, limits, collisions.
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
      throw new ReinsError({ code: 'tree_not_found', message: 'the tree has no such path', path: printablePath(path) });
    },
  };
}

/** The files of a tree as they travel in a JSON body: text as it is, anything else in base64. */
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
      hint: 'send it as base64',
    };
  }
  if (entry.mode === 'link' && !staysInside(entry.path, textOf(entry))) {
    return { code: 'tree_entry_refused', message: 'the link leads out of the tree, or may do so', path };
  }
  return [];
}

function bytesOf(entry: TreeEntry): Buffer {
  return Buffer.from(entry.content, entry.encoding ?? 'utf8');
}

function textOf(entry: TreeEntry): string {
  return bytesOf(entry).toString('utf8');
}
