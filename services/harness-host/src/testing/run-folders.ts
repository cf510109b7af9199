import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** The run folders of the host with this process id, running or not. */
export async function runFoldersOf(pid: number | undefined): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => new RegExp(`^reins-run-[0-9a-f]{8}-${pid}-`).test(name));
}
