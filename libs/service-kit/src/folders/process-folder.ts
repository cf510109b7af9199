import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProcessEnded, identityOf } from './process-identity.ts';
import { removeFolder } from './remove-folder.ts';

/**
 * Identifies the machine. Containers that share a temporary folder see each other's folders, but not each other's
 * processes.
 */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** `<machine>-<identity>-<random>`, after the prefix of the kind. */
const NAME = /^([0-9a-f]{8})-(\d+-\d+)-\w{6}$/;

const prefixOf = (kind: string): string => `reins-${kind}-`;

/**
 * Creates a temporary folder that only this user can access. Its name identifies the owning process. If that process is
 * killed, `removeAbandonedFolders` of a later process removes the folder.
 */
export async function makeProcessFolder(kind: string): Promise<string> {
  const identity = await identityOf(process.pid);
  return mkdtemp(join(tmpdir(), `${prefixOf(kind)}${MACHINE}-${identity}-`));
}

/**
 * Removes the folders of one kind that belong to ended processes of this machine. It does not touch folders of live
 * processes, other machines or other users. A folder that cannot be removed is left for the next call.
 * @returns the removed folders
 */
export async function removeAbandonedFolders(kind: string): Promise<string[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((item) => item.startsWith(prefixOf(kind)))) {
    const [, machine, identity] = NAME.exec(name.slice(prefixOf(kind).length)) ?? [];
    if (machine !== MACHINE || identity === undefined || !(await hasProcessEnded(identity))) continue;
    const folder = join(tmpdir(), name);
    if ((await isOurs(folder)) && (await tryRemove(folder))) removed.push(folder);
  }
  return removed;
}

/** A folder of another user with such a name is not ours to remove, and not safe to traverse. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

const tryRemove = (folder: string): Promise<boolean> =>
  removeFolder(folder).then(
    () => true,
    () => false,
  );
