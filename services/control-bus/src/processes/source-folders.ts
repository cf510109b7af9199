import { join } from 'node:path';
import { ReinsError } from '@reins/contracts';
import { makeProcessFolder, removeAbandonedFolders, removeFolder } from '@reins/service-kit/folders';
import { type Manifest, materialise, type Tree } from '@reins/workspace-tree';
import { LruCache } from './lru-cache.ts';

/** Maximum number of folders on disk. A removed folder is written again when it is needed. */
const FOLDERS = 100;
const KIND = 'processes';
const MAX_BYTES = 64 * 1024 * 1024;

/** The folder with the code of one revision. */
export interface SourceFolder {
  /** Writes the folder if it does not exist. @returns its path */
  ready(): Promise<string>;
}

/** Temporary folders with the code of workspaces, readable by this user only. */
export class SourceFolders {
  readonly #written = new LruCache<Promise<string>>(FOLDERS, (name) => void this.#remove(name));
  #base: Promise<string> | undefined;
  #closed = false;

  constructor() {
    // A killed process leaves its folders behind. The next one on this machine removes them.
    void removeAbandonedFolders(KIND);
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
        message: `the folder of the process has ${bytes} bytes of source files; the maximum is ${MAX_BYTES}`,
        path: top || '.',
      });
    const folder = await this.#folder(name);
    await materialise({ ...tree, manifest, read: (path) => tree.read(path) }, folder, { prune: true });
    // Closed while writing: remove the folder again.
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

/** Everything in the top-level folder of the process, and modules from the rest of the workspace. */
const isSource = (path: string, top: string): boolean =>
  (top !== '' && path.startsWith(top)) || /\.(?:[cm]?[jt]s|json)$/.test(path);
