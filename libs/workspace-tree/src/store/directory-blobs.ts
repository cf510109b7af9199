import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mapParallel, ReinsError } from '@reins/contracts';
import { errnoOf } from '../support/errno.ts';
import type { BlobPort } from './blob-port.ts';

const KEY = /^[0-9a-f]{64}(\.layout)?$/;
const CHECKS_AT_ONCE = 16;

/**
 * Stores blobs in a folder, as `<first two digits>/<key>`. A blob is written to a temporary file, synced and renamed,
 * so that it is complete or absent even after a crash.
 */
export class DirectoryBlobs implements BlobPort {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  async has(keys: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await mapParallel(keys, CHECKS_AT_ONCE, async (key) => {
      try {
        await access(this.#pathOf(key));
        return [key];
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    });
    return new Set(found.flat());
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(key));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async put(key: string, bytes: Uint8Array): Promise<void> {
    const path = this.#pathOf(key);
    const folder = dirname(path);
    await mkdir(folder, { recursive: true });
    const temporaryPath = join(folder, `.${randomUUID()}.tmp`);
    try {
      const file = await open(temporaryPath, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporaryPath, path);
    } catch (error) {
      await rm(temporaryPath, { force: true });
      throw error;
    }
    await syncFolder(folder);
  }

  /** A key becomes a file name, so it is always validated here. */
  #pathOf(key: string): string {
    if (KEY.test(key)) return join(this.#root, key.slice(0, 2), key);
    throw new ReinsError({ code: 'tree_content_missing', message: 'invalid blob key' });
  }
}

/** The rename is durable only after the folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return errnoOf(error) === 'ENOENT';
}
