import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import { makeProcessFolder, removeAbandonedFolders } from './process-folder.ts';
import { hasProcessEnded, identityOf } from './process-identity.ts';
import { removeFolder } from './remove-folder.ts';

const KIND = `spec${process.pid}`;
const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function sleeper(): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sleep', ['300']);
  children.push(child);
  await once(child, 'spawn');
  return child as ChildProcess & { pid: number };
}

/** Creates a folder with a file. `change` turns the name for this process into that of another owner. */
async function folderOf(change: (name: string) => string): Promise<string> {
  const made = await makeProcessFolder(KIND);
  const folder = join(dirname(made), change(basename(made)));
  folders.push(folder);
  await writeFile(join(made, 'file'), 'text');
  await rename(made, folder);
  return folder;
}

describe('process folders', () => {
  test('of ended processes are removed, all others are kept', async () => {
    const own = await identityOf(process.pid);
    const other = await sleeper();
    const otherIdentity = await identityOf(other.pid);
    const ours = await folderOf((name) => name);
    const theirs = await folderOf((name) => name.replace(own, otherIdentity));
    const recycled = await folderOf((name) => name.replace(own, `${process.pid}-1`));
    const elsewhere = await folderOf((name) => name.replace(/-[0-9a-f]{8}-.*-/, '-00000000-999999999-1-'));
    const unknown = await folderOf((name) => name.replace(own, '999999999-unknown'));
    const otherKind = await folderOf((name) => name.replace(KIND, `${KIND}x`).replace(own, '999999999-1'));
    const left = [ours, elsewhere, unknown, otherKind];
    expect(await removeAbandonedFolders(KIND)).toEqual([recycled]);
    expect(await Promise.all([...left, theirs, recycled].map(exists))).toEqual([true, true, true, true, true, false]);

    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await removeAbandonedFolders(KIND)).toEqual([theirs]);
    expect(await Promise.all([...left, theirs].map(exists))).toEqual([true, true, true, true, false]);
  });
});

describe('a process', () => {
  test('has ended when it is a zombie', async () => {
    const parent = spawn('sh', ['-c', 'sleep 300 & echo $!; exec sleep 300']);
    children.push(parent);
    const [line] = await once(parent.stdout, 'data');
    const identity = await identityOf(Number(line));
    expect(await hasProcessEnded(identity)).toBe(false);
    process.kill(Number(line), 'SIGKILL');
    await until(() => hasProcessEnded(identity));
  });
});

describe('a folder', () => {
  test('is removed with write-protected content', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reins-spec-'));
    folders.push(folder);
    const module = join(folder, 'cache', 'module');
    await mkdir(module, { recursive: true });
    await writeFile(join(module, 'file'), 'text');
    const paths = [folder, dirname(module), module];
    await asUser(paths, async () => {
      for (const path of [module, dirname(module)]) await chmod(path, 0o555);
      await expect(rm(folder, { recursive: true })).rejects.toThrow('EACCES');
      await removeFolder(join(folder, 'cache'));
    });
    expect(await exists(dirname(module))).toBe(false);
  });

  test('may be missing', async () => {
    await removeFolder(join(tmpdir(), 'reins-spec-nowhere'));
  });
});

/** Runs the work as another user who owns the paths if this process is root, since root bypasses permissions. */
async function asUser(paths: readonly string[], work: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return work();
  const unprivilegedId = 65_534;
  for (const path of paths) await chown(path, unprivilegedId, unprivilegedId);
  process.seteuid?.(unprivilegedId);
  try {
    await work();
  } finally {
    process.seteuid?.(0);
  }
}
