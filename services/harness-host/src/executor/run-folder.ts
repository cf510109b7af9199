import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folders of one run, for this user alone, removed with it. */
export interface RunFolder {
  readonly root: string;
  /** The stage's tree. */
  readonly workDir: string;
  readonly homeDir: string;
  readonly sessionDir: string;
  /** False: there is none, only its name, for work that uses no files. */
  readonly exists: boolean;
  remove(): Promise<void>;
}

export async function makeRunFolder(): Promise<RunFolder> {
  const root = await mkdtemp(join(tmpdir(), 'reins-run-'));
  const folders = foldersIn(root);
  const { workDir, homeDir, sessionDir } = folders;
  await Promise.all([workDir, sessionDir, join(homeDir, 'tmp')].map((folder) => mkdir(folder, { recursive: true })));
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  return { ...folders, exists: true, remove };
}

/** Where the folders of a run would be that has none. */
export function noFolder(name: string): RunFolder {
  return { ...foldersIn(join(tmpdir(), `reins-run-${name}`)), exists: false, remove: async () => undefined };
}

function foldersIn(root: string): Pick<RunFolder, 'root' | 'workDir' | 'homeDir' | 'sessionDir'> {
  return { root, workDir: join(root, 'work'), homeDir: join(root, 'home'), sessionDir: join(root, 'session') };
}
