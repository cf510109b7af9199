import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders watched at once; the system has a bound of its own, and a workspace's inputs stand in a few. */
const MAX_FOLDERS = 256;

interface Watched {
  readonly watcher: FSWatcher;
  /** Which folder it is: another one may come to stand at the same path, even with the same number. */
  readonly identity: string;
}

/** Watches the folders of a workspace that its inputs stand in, or would. */
export class FolderWatch {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #watched = new Map<string, Watched>();

  constructor(root: string, changed: () => void) {
    this.#root = root;
    this.#changed = changed;
  }

  /**
   * From now on, these files; for one whose folder is not there, the nearest folder that is. True when a folder is watched that was not
   * before: what changed in it until now was not seen.
   */
  watchFor(files: Iterable<string>): boolean {
    const wanted = new Set([this.#root]);
    for (const file of files) {
      if (wanted.size === MAX_FOLDERS) break;
      wanted.add(this.#nearestFolder(file));
    }
    for (const [folder, { identity }] of this.#watched) {
      if (!wanted.has(folder) || identity !== identityOf(folder)) this.#leave(folder);
    }
    const added = [...wanted].filter((folder) => !this.#watched.has(folder));
    for (const folder of added) this.#watch(folder);
    return added.length > 0;
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#leave(folder);
  }

  #nearestFolder(file: string): string {
    let folder = dirname(join(this.#root, file));
    while (folder !== this.#root && folder.startsWith(this.#root) && !existsSync(folder)) folder = dirname(folder);
    return folder.startsWith(this.#root) ? folder : this.#root;
  }

  #leave(folder: string): void {
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }

  #watch(folder: string): void {
    const identity = identityOf(folder);
    try {
      const watcher = watch(folder, this.#changed);
      // a folder that is removed is a change like any other; the next reading of the workspace says what is left to watch
      watcher.on('error', () => {
        this.#leave(folder);
        this.#changed();
      });
      this.#watched.set(folder, { watcher, identity });
    } catch (error) {
      if (folder === this.#root) throw error;
      this.#changed(); // it went away between the look and the watch
    }
  }
}

function identityOf(folder: string): string {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}.${stats.ino}.${stats.birthtimeNs}` : 'gone';
}
