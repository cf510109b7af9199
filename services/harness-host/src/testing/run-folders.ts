import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** The folders of runs whose host is, or was, the process with this id. */
export async function runFoldersOf(pid: number | undefined): Promise<string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => new RegExp(`^reins-run-[0-9a-f]{8}-${pid}-`).test(name));
}
