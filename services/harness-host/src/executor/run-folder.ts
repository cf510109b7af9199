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
  remove(): Promise<void>;
}

export async function makeRunFolder(): Promise<RunFolder> {
  const root = await mkdtemp(join(tmpdir(), 'reins-run-'));
  const [workDir, homeDir, sessionDir] = [join(root, 'work'), join(root, 'home'), join(root, 'session')];
  await Promise.all([workDir, sessionDir, join(homeDir, 'tmp')].map((folder) => mkdir(folder, { recursive: true })));
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: 3 });
  return { root, workDir, homeDir, sessionDir, remove };
}
