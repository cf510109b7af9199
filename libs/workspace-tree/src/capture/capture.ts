import { lstat, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { mapParallel, type Problem, ReinsError } from '@reins/contracts';
import { fileTooLarge, type TreeLimits, tooManyBytes, withDefaults } from '../limits.ts';
import { staysInside } from '../manifest/links.ts';
import { type FileMode, type Manifest, manifestOf, type TreeFile, treeIdOf } from '../manifest/manifest.ts';
import { printablePath } from '../manifest/paths.ts';
import { sha256Of } from '../support/hash.ts';
import { IgnoreRules } from '../support/ignore-rules.ts';
import type { Tree } from '../tree.ts';
import { CacheBuilder, type CaptureCache, cachedFile } from './cache.ts';
import { fingerprintOf, sameFingerprint } from './fingerprint.ts';
import { isDenied, isGone, type ReadFile, readExactly } from './read-file.ts';
import { type ScannedPath, unreadable, type Walk, walk } from './walk.ts';

export interface CaptureOptions {
  /** Patterns in gitignore syntax to skip, in addition to those in `.reinsignore` files. `.git` is always skipped. */
  readonly ignore?: readonly string[];
  readonly limits?: Partial<TreeLimits>;
  /** The cache of an earlier capture or materialisation of the same folder. Unchanged files are not read again. */
  readonly previous?: CaptureCache;
  /**
   * How to handle entries that a tree cannot contain (links out of the tree, devices, invalid names): fail, or skip and
   * report them in `leftOut`.
   */
  readonly refused?: 'fail' | 'leave-out';
}

/** A folder at one moment. File contents are read from the folder on demand, and checked against their hashes. */
export interface Capture extends Tree {
  /** The cache for the next capture of the same folder. */
  readonly cache: CaptureCache;
  /** Entries that were skipped because a tree cannot contain them. */
  readonly leftOut: readonly Problem[];
  readonly stats: { readonly files: number; readonly bytes: number; readonly hashed: number; readonly cached: number };
}

const FILES_AT_ONCE = 16;
const ATTEMPTS = 4;
const WAIT_MS = 25;
const MAX_PROBLEMS = 100;

/**
 * Captures the files of a folder as a tree. The result is the folder at one moment: if a file changes during the
 * capture, the capture restarts.
 *
 * @throws ReinsError `tree_limit_exceeded` | `tree_entry_refused` | `tree_path_refused`, with all problems;
 * `tree_not_found` when the folder does not exist; `tree_changed` when the folder keeps changing.
 */
export async function capture(dir: string, options: CaptureOptions = {}): Promise<Capture> {
  const root = await folderAt(dir);
  let cache = options.previous;
  for (let attempt = 1; ; attempt += 1) {
    const pass = await capturePass(root, { ...options, ...(cache ? { previous: cache } : {}) });
    if (pass.changed.length === 0) return finish(root, pass, options);
    if (attempt === ATTEMPTS) throw stillChanging(pass.changed);
    cache = { ...cache, ...pass.cache.build() };
    await wait(WAIT_MS * attempt);
  }
}

async function folderAt(dir: string): Promise<string> {
  const root = resolve(dir);
  const isFolder = await stat(root).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (isFolder) return root;
  throw new ReinsError({ code: 'tree_not_found', message: 'the folder to capture does not exist', path: root });
}

interface Pass {
  readonly files: readonly (readonly [ScannedPath, TreeFile])[];
  readonly refused: readonly Problem[];
  readonly changed: readonly string[];
  readonly cache: CacheBuilder;
  readonly hashed: number;
}

async function capturePass(root: string, options: CaptureOptions): Promise<Pass> {
  const limits = withDefaults(options.limits);
  const found = await walk(root, new IgnoreRules(options.ignore), limits);
  checkSizes(found.files, limits);

  const cache = new CacheBuilder();
  const refused = found.refused.map(({ problem }) => problem);
  const changed = [...found.changed];
  let hashed = 0;
  const entries = await mapParallel(found.files, FILES_AT_ONCE, async (scanned): Promise<Pass['files']> => {
    const { path, stats } = scanned;
    const mode = stats.isSymbolicLink() ? 'link' : stats.mode & 0o100n ? '755' : '644';
    const cached = cachedFile(options.previous, path, fingerprintOf(stats));
    if (cached) {
      cache.keep(path, cached);
      return [[scanned, { mode, size: Number(stats.size), sha256: cached.sha256 }]];
    }
    hashed += 1;
    const read = await readOrProblem(root, scanned, mode);
    if (!read) changed.push(path);
    else if ('problem' in read) refused.push(read.problem);
    if (!read || 'problem' in read) return [];
    const sha256 = sha256Of(read.bytes);
    cache.add(path, stats, sha256, read.seenAtNs);
    return [[scanned, { mode, size: read.bytes.byteLength, sha256 }]];
  });
  changed.push(...(await changedSince(root, found)));
  return { files: entries.flat(), refused, changed, cache, hashed };
}

/** The content of the file, or why a tree cannot contain it. Undefined when it changed after the scan. */
async function readOrProblem(
  root: string,
  { path, stats }: ScannedPath,
  mode: FileMode,
): Promise<ReadFile | { readonly problem: Problem } | undefined> {
  try {
    const read = await readExactly(join(root, path), stats);
    const isOutside = read && mode === 'link' && !staysInside(path, Buffer.from(read.bytes).toString('utf8'));
    return isOutside ? { problem: linkOutsideTree(path) } : read;
  } catch (error) {
    if (isDenied(error)) return { problem: unreadable(path) };
    throw error;
  }
}

function finish(root: string, pass: Pass, options: CaptureOptions): Capture {
  if (pass.refused.length > 0 && options.refused !== 'leave-out') {
    throw new ReinsError(pass.refused.slice(0, MAX_PROBLEMS));
  }
  const manifest = manifestOf(
    pass.files.map(([{ path }, file]) => [path, file]),
    options.limits,
  );
  const bytes = pass.files.reduce((sum, [, file]) => sum + file.size, 0);
  const files = pass.files.length;
  return {
    treeId: treeIdOf(manifest),
    manifest,
    read: (path) => readCaptured(root, manifest, path),
    cache: pass.cache.build(),
    leftOut: pass.refused,
    stats: { files, bytes, hashed: pass.hashed, cached: files - pass.hashed },
  };
}

/** Checks sizes before any file is read, so that a folder that is too large fails quickly. */
function checkSizes(files: readonly ScannedPath[], limits: TreeLimits): void {
  const problems: Problem[] = [];
  let total = 0;
  for (const { path, stats } of files) {
    const size = Number(stats.size);
    total += size;
    if (size > limits.maxFileBytes) problems.push(fileTooLarge(printablePath(path), size, limits));
  }
  if (total > limits.maxBytes) problems.push(tooManyBytes(limits));
  if (problems.length > 0) throw new ReinsError(problems.slice(0, MAX_PROBLEMS));
}

/** The paths whose stats changed since the scan: modified files, and folders with added or removed entries. */
async function changedSince(root: string, found: Walk): Promise<readonly string[]> {
  const changes = await mapParallel([...found.folders, ...found.files], FILES_AT_ONCE, async ({ path, stats }) => {
    try {
      const now = await lstat(join(root, path), { bigint: true });
      return sameFingerprint(fingerprintOf(now), fingerprintOf(stats)) ? [] : [path];
    } catch (error) {
      if (isGone(error)) return [path];
      throw error;
    }
  });
  return changes.flat();
}

async function readCaptured(root: string, manifest: Manifest, path: string): Promise<Uint8Array> {
  const file = manifest.get(path);
  if (!file)
    throw new ReinsError({ code: 'tree_not_found', message: 'the path is not in the tree', path: printablePath(path) });
  try {
    const stats = await lstat(join(root, path), { bigint: true });
    const matches = stats.isSymbolicLink() === (file.mode === 'link') && Number(stats.size) === file.size;
    const read = matches ? await readExactly(join(root, path), stats) : undefined;
    if (read && sha256Of(read.bytes) === file.sha256) return read.bytes;
  } catch (error) {
    if (!isGone(error)) throw error;
  }
  throw new ReinsError({
    code: 'tree_changed',
    message: 'the file changed after it was captured',
    path: printablePath(path),
  });
}

function linkOutsideTree(path: string): Problem {
  return {
    code: 'tree_entry_refused',
    message: 'the symlink target is outside the tree, or cannot be proven to be inside it',
    path: printablePath(path),
    hint: 'Make the target relative, without ".." after a name, or add the symlink to .reinsignore.',
  };
}

function stillChanging(changed: readonly string[]): ReinsError {
  const problems = changed.slice(0, MAX_PROBLEMS).map(
    (path): Problem => ({
      code: 'tree_changed',
      message: 'the file or folder keeps changing during the capture',
      path: path === '' ? '.' : printablePath(path),
      hint: 'Stop the process that writes to it, or add it to .reinsignore.',
    }),
  );
  return new ReinsError(problems);
}
