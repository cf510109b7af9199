import { join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { makeProcessFolder, removeAbandoned, removeFolder } from '@reins/service-kit/folders';
import { type Manifest, materialise, type Tree } from '@reins/workspace-tree';
import { LruCache } from './lru-cache.ts';

/** Folders on disk at a time; one that is needed again is written again. */
const FOLDERS = 100;
const KIND = 'processes';
const MAX_BYTES = 64 * 1024 * 1024;

/** Where the code of one revision lies while it is needed. */
export interface SourceFolder {
  /** Writes it where it is not there. @returns the folder */
  ready(): Promise<string>;
}

/** Folders with the code of workspaces, each readable for this user alone. */
export class SourceFolders {
  readonly #written = new LruCache<Promise<string>>(FOLDERS, (name) => void this.#remove(name));
  #base: Promise<string> | undefined;
  #closed = false;

  constructor() {
    // What is killed leaves its folders to whoever comes next on this machine.
    void removeAbandoned(KIND);
  }

  /** @param path the module of the process */
  of(revision: string, path: string, open: () => Promise<Tree>): SourceFolder {
    const top = path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : '';
    const name = `${revision}-${encodeURIComponent(top)}`;
    return { ready: () => this.#written.get(name, () => this.#write(name, top, open)) };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#base) await removeFolder(await this.#base);
  }

  async #write(name: string, top: string, open: () => Promise<Tree>): Promise<string> {
    const tree = await open();
    const manifest: Manifest = new Map([...tree.manifest].filter(([path]) => isSource(path, top)));
    const bytes = [...manifest.values()].reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES)
      throw new ReinsError({
        code: 'process_invalid',
        message: `the code of the process and what lies beside it are ${bytes} bytes, and may be ${MAX_BYTES}`,
        path: top || '.',
      });
    const folder = await this.#folder(name);
    await materialise({ ...tree, manifest, read: (path) => tree.read(path) }, folder, { prune: true });
    // Nobody waited for it.
    if (this.#closed) await this.close();
    return folder;
  }

  async #remove(name: string): Promise<void> {
    await removeFolder(await this.#folder(name)).catch(() => undefined);
  }

  async #folder(name: string): Promise<string> {
    this.#base ??= makeProcessFolder(KIND);
    return join(await this.#base, name);
  }
}

/** What lies in the folder of the process; of the rest of the workspace, what modules can be. */
const isSource = (path: string, top: string): boolean =>
  (top !== '' && path.startsWith(top)) || /\.(?:[cm]?[jt]s|json)$/.test(path);
