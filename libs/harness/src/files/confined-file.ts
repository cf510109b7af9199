import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { confinedPath } from './confined-path.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** A pipe must not block. */
const FILE = constants.O_NOFOLLOW | constants.O_NONBLOCK;
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC;

/**
 * Opens files of a folder that other processes may change at the same time, such as the servers of a run. The path is
 * resolved first. Then each part of it is opened relative to the one before, without following links. So a folder that
 * is replaced with a link in between leads nowhere.
 */
export class ConfinedFile {
  readonly #root: string;
  readonly #parts: readonly string[];
  /** As the caller named it, for errors. */
  readonly #path: string;

  private constructor(root: string, parts: readonly string[], path: string) {
    this.#root = root;
    this.#parts = parts;
    this.#path = path;
  }

  /** @throws PathRefused when the path is outside of the folder */
  static async resolve(root: string, path: string): Promise<ConfinedFile> {
    const realRoot = await confinedPath(root, '.');
    const inner = relative(realRoot, await confinedPath(root, path));
    return new ConfinedFile(realRoot, inner === '' ? [] : inner.split(sep), path);
  }

  /** Opens the file for reading. @throws Error as `open` of `node:fs` does */
  openToRead(): Promise<FileHandle> {
    return this.#openFile(constants.O_RDONLY, false);
  }

  /** Reads the whole file. @throws Error as `open` of `node:fs` does */
  async read(): Promise<Buffer> {
    await using file = await this.openToRead();
    return await file.readFile();
  }

  /** Creates or replaces the file, and creates missing folders. @throws Error as `open` of `node:fs` does */
  async write(content: Uint8Array): Promise<void> {
    await using file = await this.#openFile(WRITE, true);
    await file.writeFile(content);
  }

  /** The entries of the folder; the names of folders end with `/`. @throws Error as `readdir` of `node:fs` does */
  list(): Promise<string[]> {
    return this.#named(async () => {
      await using folder = await this.#openFolder(this.#parts, false);
      const entries = await readdir(folder.path, { withFileTypes: true });
      return entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name));
    });
  }

  #openFile(flags: number, makesFolders: boolean): Promise<FileHandle> {
    return this.#named(async () => {
      await using folder = await this.#openFolder(this.#parts.slice(0, -1), makesFolders);
      return await open(join(folder.path, this.#parts.at(-1) ?? '.'), flags | FILE, 0o644);
    });
  }

  async #openFolder(parts: readonly string[], makesFolders: boolean): Promise<OpenFolder> {
    let folder = await OpenFolder.open(this.#root);
    for (const name of parts) {
      await using parent = folder;
      const path = join(parent.path, name);
      if (makesFolders) await mkdir(path).catch(ignoreExisting);
      folder = await OpenFolder.open(path);
    }
    return folder;
  }

  /** Errors name the path of the caller. */
  async #named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      const named = new Error(message.replace(/'[^']*'/, `'${this.#path}'`), { cause: error });
      throw Object.assign(named, code !== undefined && { code });
    }
  }
}

/** An open folder, and a path that leads to it, even if it was moved. */
class OpenFolder {
  readonly path: string;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    // Only Linux has such paths. Other systems have no sandbox for servers either.
    this.path = process.platform === 'linux' ? `/proc/self/fd/${handle.fd}` : path;
  }

  static async open(path: string): Promise<OpenFolder> {
    return new OpenFolder(await open(path, FOLDER), path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
