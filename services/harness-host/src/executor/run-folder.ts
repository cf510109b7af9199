import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeProcessFolder, removeAbandonedFolders, removeFolder } from '@reins/service-kit/folders';

/** The kind of run folders. The folders of hosts that no longer run are removed. */
export const RUN_FOLDERS = 'run';

/** The folders of one run. Only this user can access them; they are removed after the run. */
export interface RunFolder {
  readonly root: string;
  /** The stage's tree. */
  readonly workDir: string;
  readonly homeDir: string;
  readonly sessionDir: string;
  /** False for work without files: then only the paths are defined. */
  readonly exists: boolean;
  remove(): Promise<void>;
}

export async function makeRunFolder(): Promise<RunFolder> {
  const root = await makeProcessFolder(RUN_FOLDERS);
  const folders = foldersIn(root);
  const { workDir, homeDir, sessionDir } = folders;
  await Promise.all([workDir, sessionDir, join(homeDir, 'tmp')].map((folder) => mkdir(folder, { recursive: true })));
  return { ...folders, exists: true, remove: () => removeFolder(root) };
}

/** Removes the run folders of hosts that no longer run. @returns the removed folders */
export const removeOrphans = (): Promise<string[]> => removeAbandonedFolders(RUN_FOLDERS);

/** The folder paths of a run without files. */
export function noFolder(name: string): RunFolder {
  return { ...foldersIn(join(tmpdir(), `reins-${RUN_FOLDERS}-${name}`)), exists: false, remove: async () => undefined };
}

function foldersIn(root: string): Pick<RunFolder, 'root' | 'workDir' | 'homeDir' | 'sessionDir'> {
  return { root, workDir: join(root, 'work'), homeDir: join(root, 'home'), sessionDir: join(root, 'session') };
}
