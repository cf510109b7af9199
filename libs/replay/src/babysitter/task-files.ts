import { hash, randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { type JsonValue, ReinsError } from '@reins/contracts';
import { misuse } from '../errors.ts';

/** The file functions that a task's `build` gets. Paths are run-relative, with forward slashes. */
export interface TaskFiles {
  readonly runDir?: string;
  readonly tasksDir?: string;
  readonly taskDir?: string;
  /** Stores a value as a file. @returns its run-relative path */
  createBlobRef(name: string, value: JsonValue, options?: { readonly asJson?: boolean }): string;
  /** @returns the run-relative path of a file in the task's folder */
  toTaskRelativePath(path: string): string;
}

/** The run directory, and how files are written to it. By default they are written immediately. */
export interface TaskFileTarget {
  /** Absent where the process has no file system; then it cannot write files. */
  readonly runDir?: string;
  /** @param path run-relative */
  readonly keepFile?: (path: string, content: string) => void;
}

export function taskFiles({ runDir, keepFile = writer(runDir) }: TaskFileTarget, effectId: string): TaskFiles {
  const inRun = `tasks/${effectId}`;
  const toTaskRelativePath = (path: string): string => `${inRun}/${taskRelative(path)}`;
  const createBlobRef: TaskFiles['createBlobRef'] = (name, value, { asJson = typeof value !== 'string' } = {}) => {
    const content = asJson ? `${JSON.stringify(value, null, 2)}\n` : String(value);
    const file = `${safeName(name)}-${hash('sha256', content)}.${asJson ? 'json' : 'txt'}`;
    if (runDir === undefined)
      throw misuse(
        'this process has no run directory, so it cannot write files',
        'Put the value into the task definition.',
      );
    keepFile(`${inRun}/blobs/${file}`, content);
    return `${inRun}/blobs/${file}`;
  };
  const files = { createBlobRef, toTaskRelativePath };
  if (runDir === undefined) return files;
  return { ...files, runDir, tasksDir: join(runDir, 'tasks'), taskDir: join(runDir, inRun) };
}

const writer =
  (runDir = '') =>
  (path: string, content: string): void =>
    writeTaskFile(runDir, path, content);

/**
 * Writes a file of a task. A run directory may come from elsewhere, so links in it are not followed: one in place of the
 * file is replaced, one in place of a folder is refused.
 * @param path run-relative · @throws ReinsError `process_access_refused`
 */
export function writeTaskFile(runDir: string, path: string, content: string): void {
  const file = join(runDir, path);
  assertFolders(runDir, dirname(path));
  if (isFileOf(file, content)) return;
  const temporary = join(dirname(file), `.${randomUUID()}.tmp`);
  try {
    writeFileSync(temporary, content, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function assertFolders(runDir: string, path: string): void {
  let folder = runDir;
  for (const name of path.split('/')) {
    folder = join(folder, name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (!found) mkdirSync(folder);
    else if (!found.isDirectory()) throw notAFolder(folder);
  }
}

const notAFolder = (folder: string): ReinsError =>
  new ReinsError({
    code: 'process_access_refused',
    message: `${folder} is not a folder of the run directory`,
    path: folder,
    hint: 'Remove the link or the file, and run the command again.',
  });

function isFileOf(file: string, content: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  return (
    found?.isFile() === true && found.size === Buffer.byteLength(content) && readFileSync(file, 'utf8') === content
  );
}

function taskRelative(path: string): string {
  const clean = typeof path === 'string' ? normalize(path).replaceAll('\\', '/') : '';
  if (clean === '' || clean === '.' || isAbsolute(clean) || clean.split('/').includes('..'))
    throw misuse(`${JSON.stringify(path)} is not a path within the folder of the task`);
  return clean;
}

function safeName(name: string): string {
  const safe = String(name ?? '')
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  if (safe === '') throw misuse('a blob needs a name');
  return safe;
}
