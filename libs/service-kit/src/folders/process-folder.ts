import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readdir } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasProcessEnded, identityOf } from './process-identity.ts';
import { removeFolder } from './remove-folder.ts';

/** Containers that share a folder for temporary files see each other's folders, and not each other's processes. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);

/** `<machine>-<identity>-<random>`, behind the kind. */
const NAME = /^([0-9a-f]{8})-(\d+-\d+)-\w{6}$/;

const prefixOf = (kind: string): string => `reins-${kind}-`;

/**
 * A new folder among the temporary ones, for this user alone. Its name says which process it belongs to: should that be killed, the
 * next one that asks (`removeAbandonedFolders`) removes it.
 */
export async function makeProcessFolder(kind: string): Promise<string> {
  const identity = await identityOf(process.pid);
  return mkdtemp(join(tmpdir(), `${prefixOf(kind)}${MACHINE}-${identity}-`));
}

/**
 * Removes the folders of one kind that belong to processes of this machine which are gone. Those of processes that live, of other
 * machines and of other users are not touched. What cannot be removed stays for the next one.
 * @returns the folders that are gone now
 */
export async function removeAbandonedFolders(kind: string): Promise<string[]> {
  const names = await readdir(tmpdir()).catch(() => []);
  const removed: string[] = [];
  for (const name of names.filter((item) => item.startsWith(prefixOf(kind)))) {
    const [, machine, identity] = NAME.exec(name.slice(prefixOf(kind).length)) ?? [];
    if (machine !== MACHINE || identity === undefined || !(await hasProcessEnded(identity))) continue;
    const folder = join(tmpdir(), name);
    if ((await isOurs(folder)) && (await isRemoved(folder))) removed.push(folder);
  }
  return removed;
}

/** Whatever others put there by such a name is not ours to remove, nor safe to walk through. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

const isRemoved = (folder: string): Promise<boolean> =>
  removeFolder(folder).then(
    () => true,
    () => false,
  );
