import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Folders watched at once; the system has a bound of its own, and a workspace's inputs stand in a few. */
const MAX_FOLDERS = 256;

/** Watches the folders of a workspace that its inputs stand in, or would. */
export class FolderWatch {
  readonly #root: string;
  readonly #changed: () => void;
  readonly #watchers = new Map<string, FSWatcher>();

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
    for (const [folder, watcher] of this.#watchers) {
      if (wanted.has(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
    const added = [...wanted].filter((folder) => !this.#watchers.has(folder));
    for (const folder of added) this.#watch(folder);
    return added.length > 0;
  }

  close(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #nearestFolder(file: string): string {
    let folder = dirname(join(this.#root, file));
    while (folder !== this.#root && folder.startsWith(this.#root) && !existsSync(folder)) folder = dirname(folder);
    return folder.startsWith(this.#root) ? folder : this.#root;
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: true }, this.#changed);
      // a folder that is removed is a change like any other; the next reading of the workspace says what is left to watch
      watcher.on('error', () => {
        watcher.close();
        this.#watchers.delete(folder);
        this.#changed();
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (folder === this.#root) throw error;
      this.#changed(); // it went away between the look and the watch
    }
  }
}
