import { existsSync, type FSWatcher, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** The most folders to watch concurrently. The system has its own limit, and the inputs of a workspace are in a few folders. */
const MAX_FOLDERS = 256;

interface Watched {
  readonly watcher: FSWatcher;
  /** Identifies the folder: another folder may replace it at the same path, even with the same inode. */
  readonly identity: string;
}

/** Watches the folders of a workspace that contain its inputs, or would contain missing ones. */
export class FolderWatch {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #watched = new Map<string, Watched>();

  constructor(root: string, changed: () => void) {
    this.#root = root;
    this.#changed = changed;
  }

  /**
   * Watches these files from now on. For a missing folder, watches its nearest existing ancestor. Returns true when the call started to
   * watch a folder: earlier changes in it went unnoticed.
   */
  watchFor(files: Iterable<string>): boolean {
    const wanted = new Set([this.#root]);
    for (const file of files) {
      if (wanted.size === MAX_FOLDERS) break;
      wanted.add(this.#nearestFolder(file));
    }
    for (const [folder, { identity }] of this.#watched) {
      if (!wanted.has(folder) || identity !== identityOf(folder)) this.#unwatch(folder);
    }
    const added = [...wanted].filter((folder) => !this.#watched.has(folder));
    for (const folder of added) this.#watch(folder);
    return added.length > 0;
  }

  close(): void {
    for (const folder of [...this.#watched.keys()]) this.#unwatch(folder);
  }

  #nearestFolder(file: string): string {
    let folder = dirname(join(this.#root, file));
    while (folder !== this.#root && folder.startsWith(this.#root) && !existsSync(folder)) folder = dirname(folder);
    return folder.startsWith(this.#root) ? folder : this.#root;
  }

  #unwatch(folder: string): void {
    this.#watched.get(folder)?.watcher.close();
    this.#watched.delete(folder);
  }

  #watch(folder: string): void {
    const identity = identityOf(folder);
    try {
      const watcher = watch(folder, this.#changed);
      // A removed folder is a change like any other. The next read of the workspace decides what to watch.
      watcher.on('error', () => {
        this.#unwatch(folder);
        this.#changed();
      });
      this.#watched.set(folder, { watcher, identity });
    } catch (error) {
      if (folder === this.#root) throw error;
      this.#changed(); // It was removed between the lookup and the watch.
    }
  }
}

function identityOf(folder: string): string {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats ? `${stats.dev}.${stats.ino}.${stats.birthtimeNs}` : 'gone';
}
