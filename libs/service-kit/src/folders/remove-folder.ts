import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Removes a folder of this user with its content, including write-protected parts such as the caches of package
 * managers. A missing folder is not an error.
 * @throws the error of the file system
 */
export async function removeFolder(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error;
    await makeWritable(folder);
    await remove(folder);
  }
}

/** Retries, since a process may still be writing to the folder. */
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 3 });

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
}
