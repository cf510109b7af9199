import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import type { JsonValue } from '@reins/contracts';
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
        'put the value into the task definition',
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
  (path: string, content: string): void => {
    const file = join(runDir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };

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
