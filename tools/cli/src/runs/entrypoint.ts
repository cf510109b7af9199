import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ProcessRef } from '@reins/contracts';
import { isObject, ReinsError } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import { wrongUsage } from '../arguments.ts';
import type { RunHandle } from './locate.ts';

/** The location of a process: a module and one of its exports. */
export interface Entrypoint {
  readonly path: string;
  readonly exportName?: string;
}

/** Parses `<path>#<export>`; the path is relative to the working directory. @throws ReinsError `wrong_usage` · `process_not_found` */
export function parseEntry(text: string): Entrypoint {
  const at = text.lastIndexOf('#');
  const path = at < 0 ? text : text.slice(0, at);
  const exportName = at < 0 ? '' : text.slice(at + 1);
  if (path.trim() === '')
    throw wrongUsage("the entry must have a module path before '#'", 'Use --entry <path>#<export>.');
  const absolute = resolve(path);
  if (!existsSync(absolute) || !statSync(absolute).isFile()) throw noSuchProcess(path, '--entry');
  return { path: absolute, ...(exportName && { exportName }) };
}

/** @param path what the error refers to: the option, or the file itself */
export const noSuchProcess = (file: string, path: string): ReinsError =>
  new ReinsError({
    code: 'process_not_found',
    message: `process file ${file} does not exist`,
    path,
    hint: 'Pass the module path, relative to the working directory, and the export: process.mjs#process.',
  });

/** The location of the process of a run; undefined for a bare run. */
export function entrypointOf({ directory }: Pick<RunHandle, 'directory'>, process: ProcessRef): Entrypoint | undefined {
  if (process.id === BARE_RUN) return undefined;
  const [path = '', exportName] = process.id.split('#');
  return { path: modulePathOf(directory, path), ...(exportName && { exportName }) };
}

/**
 * Resolves the module path of a run. A relative path is relative to the real path of the run directory. Older versions
 * of Reins made it relative to a symbolic link. Babysitter stored some absolute paths: if such a file no longer exists,
 * the run may have been moved together with its process.
 */
function modulePathOf(directory: string, path: string): string {
  if (!isAbsolute(path)) {
    const [real, byLink] = [join(realPath(directory), path), join(directory, path)];
    return !existsSync(real) && existsSync(byLink) ? byLink : real;
  }
  const moved = join(directory, '..', '..', basename(path));
  return !existsSync(path) && existsSync(moved) ? moved : path;
}

/**
 * The id of a process in a run directory: its path relative to the real path of the directory. It stays valid when both
 * are moved together, and when either is reached through a symbolic link.
 */
export function processId(directory: string, { path, exportName }: Entrypoint): string {
  const real = join(realPath(dirname(path)), basename(path));
  const relativePath = relative(realPath(directory), real).split(sep).join('/');
  return exportName === undefined ? relativePath : `${relativePath}#${exportName}`;
}

/** Resolves links, also for a path that does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** The default name of a process: the name of its file. */
export const processName = ({ path }: Entrypoint): string => basename(path).replace(/\.[^.]+$/, '');

/** The process that `run.json` names, as human-readable text. */
export function entryText(metadata: Readonly<Record<string, unknown>>): string | null {
  const { entrypoint } = metadata;
  if (!isObject(entrypoint) || typeof entrypoint.importPath !== 'string') return null;
  const { importPath, exportName } = entrypoint;
  return typeof exportName === 'string' ? `${importPath}#${exportName}` : importPath;
}

/** The error for a command that needs a process, on a bare run. */
export const noProcess = (path: string): ReinsError =>
  new ReinsError({
    code: 'process_missing',
    message: 'the run has no process',
    path,
    hint: `Run \`reins run:assign-process ${path} --entry <path>#<export>\`.`,
  });
