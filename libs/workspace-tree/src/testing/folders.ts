import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The files to create: path → content. A name that ends in `*` is executable, and a content `-> x` is a link to x. */
export type Content = Readonly<Record<string, string | Uint8Array>>;

export async function fill(root: string, content: Content): Promise<void> {
  for (const [name, what] of Object.entries(content)) {
    const path = join(root, name.replace(/\*$/, ''));
    await mkdir(dirname(path), { recursive: true });
    if (typeof what === 'string' && what.startsWith('-> ')) await symlink(what.slice(3), path);
    else await writeFile(path, what);
    if (name.endsWith('*')) await chmod(path, 0o755);
  }
}

/** Runs a test with its own temporary folder. */
export async function withFolder<T>(work: (root: string) => Promise<T>): Promise<T> {
  const root = await mkdtemp(join(tmpdir(), 'reins-tree-'));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}
