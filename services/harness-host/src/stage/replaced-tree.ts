import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '@reins/service-kit/folders';
import { type Manifest, materialise, type Tree } from '@reins/workspace-tree';

/**
 * Replaces what an earlier stage left in a folder by a tree. The folder itself stays, because processes work in it. No
 * other process may write to it meanwhile.
 * @throws ReinsError of `materialise`, and errors of the file system
 */
export async function replaceByTree(folder: string, tree: Tree): ReturnType<typeof materialise> {
  await removeOthers(folder, '', tree.manifest, foldersOf(tree.manifest));
  return materialise(tree, folder, { prune: true });
}

/** Removes everything that is not in the tree, also what captures ignore. */
async function removeOthers(
  root: string,
  folder: string,
  manifest: Manifest,
  folders: ReadonlySet<string>,
): Promise<void> {
  // An earlier stage may have made it unreadable.
  await chmod(join(root, folder), 0o755);
  const entries = await readdir(join(root, folder), { withFileTypes: true, encoding: 'buffer' });
  for (const entry of entries) {
    const name = entry.name.toString('utf8');
    const path = folder === '' ? name : `${folder}/${name}`;
    // The path of a name that is not UTF-8 would be that of another entry.
    if (!Buffer.from(name).equals(entry.name)) await rm(Buffer.concat([pathBytes(root, folder), entry.name]), ALL);
    else if (entry.isDirectory() && folders.has(path)) await removeOthers(root, path, manifest, folders);
    else if (entry.isDirectory()) await removeFolder(join(root, path));
    else if (!manifest.has(path)) await rm(join(root, path), ALL);
  }
}

const ALL = { recursive: true, force: true } as const;

const pathBytes = (root: string, folder: string): Buffer => Buffer.from(`${join(root, folder)}/`);

/** The folders that the files of a tree need. */
function foldersOf(manifest: Manifest): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of manifest.keys())
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) folders.add(path.slice(0, end));
  return folders;
}
