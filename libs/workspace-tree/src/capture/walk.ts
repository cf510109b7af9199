import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { mapParallel, type Problem, ReinsError } from '@reins/contracts';
import { type TreeLimits, tooManyFiles } from '../limits.ts';
import { isReserved, printablePath, problemOfPath } from '../manifest/paths.ts';
import { IGNORE_FILE, type IgnoreRules } from '../support/ignore-rules.ts';
import { isDenied, isGone, readExactly } from './read-file.ts';

/** An entry of the scanned folder, by its path in the tree. */
export interface ScannedPath {
  readonly path: string;
  readonly stats: BigIntStats;
}

/** An entry that a tree cannot contain, and why. It has no path when its name cannot be decoded. */
export interface RefusedPath {
  readonly path?: string;
  readonly problem: Problem;
}

export interface Walk {
  /** Regular files and links. */
  readonly files: readonly ScannedPath[];
  /** Every folder that was listed, including the root (the empty path). */
  readonly folders: readonly ScannedPath[];
  /** Entries that a tree cannot contain. */
  readonly refused: readonly RefusedPath[];
  /** Paths that were removed or replaced before they could be read. */
  readonly changed: readonly string[];
}

const FOLDERS_AT_ONCE = 8;
const FILES_AT_ONCE = 16;
const IGNORE_HINT = 'Add it to .reinsignore.';
const NO_RULES = { bytes: new Uint8Array() };
const MAX_IGNORE_FILE_BYTES = 1024n * 1024n;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Lists all entries of a folder and its subfolders. Links are not followed, and ignored folders are not entered. */
export async function walk(root: string, rules: IgnoreRules, limits: TreeLimits): Promise<Walk> {
  return new Walker(root, rules, limits).run();
}

class Walker implements Walk {
  readonly files: ScannedPath[] = [];
  readonly folders: ScannedPath[] = [];
  readonly refused: RefusedPath[] = [];
  readonly changed: string[] = [];
  readonly #root: string;
  readonly #rules: IgnoreRules;
  readonly #limits: TreeLimits;

  constructor(root: string, rules: IgnoreRules, limits: TreeLimits) {
    this.#root = root;
    this.#rules = rules;
    this.#limits = limits;
  }

  async run(): Promise<this> {
    let level: readonly ScannedPath[] = [{ path: '', stats: await lstat(this.#root, { bigint: true }) }];
    while (level.length > 0) {
      this.folders.push(...level);
      level = (await mapParallel(level, FOLDERS_AT_ONCE, (folder) => this.#list(folder.path))).flat();
    }
    return this;
  }

  /** Classifies the entries of one folder, and returns its subfolders. */
  async #list(folder: string): Promise<readonly ScannedPath[]> {
    const names = await this.#namesIn(folder);
    if (names.includes(IGNORE_FILE)) await this.#readRules(folder);
    const paths = names.filter((name) => !isReserved(name)).map((name) => (folder === '' ? name : `${folder}/${name}`));
    const entries = await mapParallel(paths, FILES_AT_ONCE, (path) => this.#scan(path));
    const subfolders: ScannedPath[] = [];
    for (const found of entries) {
      if (found && this.#accept(found)) (found.stats.isDirectory() ? subfolders : this.files).push(found);
    }
    if (this.files.length > this.#limits.maxFiles) throw this.#tooManyFilesError();
    return subfolders;
  }

  async #namesIn(folder: string): Promise<readonly string[]> {
    try {
      const names = await readdir(join(this.#root, folder), { encoding: 'buffer' });
      return names.flatMap((name) => this.#decoded(folder, name));
    } catch (error) {
      if (isDenied(error)) this.refused.push({ path: folder, problem: unreadable(folder) });
      else if (isGone(error)) this.changed.push(folder);
      else throw error;
      return [];
    }
  }

  #decoded(folder: string, name: Buffer): readonly string[] {
    try {
      return [utf8.decode(name)];
    } catch {
      const path = printablePath(join(folder, name.toString('latin1')));
      this.refused.push({ problem: { code: 'tree_path_refused', message: 'the name is not valid UTF-8', path } });
      return [];
    }
  }

  async #readRules(folder: string): Promise<void> {
    const path = folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`;
    const found = await this.#scan(path);
    if (!found?.stats.isFile() || found.stats.size > MAX_IGNORE_FILE_BYTES) return;
    const read = await readExactly(join(this.#root, path), found.stats).catch((error: unknown) => {
      // The ignore file is scanned as a file too, so its error is reported there.
      if (isDenied(error)) return NO_RULES;
      throw error;
    });
    if (read) this.#rules.add(folder, Buffer.from(read.bytes).toString('utf8'));
    else this.changed.push(path);
  }

  async #scan(path: string): Promise<ScannedPath | undefined> {
    try {
      return { path, stats: await lstat(join(this.#root, path), { bigint: true }) };
    } catch (error) {
      if (!isGone(error)) throw error;
      this.changed.push(path);
      return undefined;
    }
  }

  #accept({ path, stats }: ScannedPath): boolean {
    if (this.#rules.isIgnored(path, stats.isDirectory())) return false;
    const problem = problemOfPath(path, this.#limits.maxPathBytes) ?? problemOfKind(path, stats);
    if (problem) this.refused.push({ path, problem });
    return problem === undefined;
  }

  /** The folder with the most files is nearly always the one that should have been ignored. */
  #tooManyFilesError(): ReinsError {
    const counts = new Map<string, number>();
    for (const { path } of this.files) {
      const top = path.slice(0, Math.max(0, path.indexOf('/')));
      counts.set(top, (counts.get(top) ?? 0) + 1);
    }
    const [largest] = [...counts].sort(([, a], [, b]) => b - a)[0] ?? [''];
    return new ReinsError({ ...tooManyFiles(this.#limits), ...(largest ? { path: largest } : {}) });
  }
}

export function unreadable(path: string): Problem {
  const message = 'no permission to read this path';
  return { code: 'tree_entry_refused', message, path: path === '' ? '.' : printablePath(path), hint: IGNORE_HINT };
}

function problemOfKind(path: string, stats: BigIntStats): Problem | undefined {
  if (stats.isFile() || stats.isDirectory() || stats.isSymbolicLink()) return undefined;
  const message = 'a tree cannot contain a device, a pipe or a socket';
  return { code: 'tree_entry_refused', message, path: printablePath(path), hint: IGNORE_HINT };
}
