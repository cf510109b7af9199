import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProcessFolder, removeAbandonedFolders, removeFolder } from '@reins/service-kit/folders';

const KIND = 'run';

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
  const root = await makeProcessFolder(KIND);
  const folders = foldersIn(root);
  const { workDir, homeDir, sessionDir } = folders;
  await Promise.all([workDir, sessionDir, join(homeDir, 'tmp')].map((folder) => mkdir(folder, { recursive: true })));
  return { ...folders, exists: true, remove: () => removeFolder(root) };
}

/** Removes the folders of runs whose host is gone: what a killed host left behind. @returns those that are gone now */
export const removeOrphans = (): Promise<string[]> => removeAbandonedFolders(KIND);

/** Where the folders of a run would be that has none. */
export function noFolder(name: string): RunFolder {
  return { ...foldersIn(join(tmpdir(), `reins-${KIND}-${name}`)), exists: false, remove: async () => undefined };
}

function foldersIn(root: string): Pick<RunFolder, 'root' | 'workDir' | 'homeDir' | 'sessionDir'> {
  return { root, workDir: join(root, 'work'), homeDir: join(root, 'home'), sessionDir: join(root, 'session') };
}
