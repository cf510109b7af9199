import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a folder of this user with all that is in it, what was made unwritable included, as package managers do with their caches.
 * One that is not there is no error.
 * @throws what the file system says
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await open(folder);
    await remove(folder);
  }
}

/** Something may still be writing there: again, a few times. */
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });

async function open(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await open(join(folder, entry.name));
}
