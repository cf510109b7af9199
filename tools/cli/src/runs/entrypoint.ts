import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ProcessRef } from '@reins/contracts';
import { isObject, ReinsError } from '@reins/contracts';
import { BARE_RUN } from '@reins/journal';
import { wrongUsage } from '../arguments.ts';
import type { RunHandle } from './locate.ts';

/** Where a process is: a module, and one of its exports. */
export interface Entrypoint {
  readonly path: string;
  readonly exportName?: string;
}

/** `<path>#<export>`, the path seen from the working folder. @throws ReinsError `wrong_usage` · `process_not_found` */
export function parseEntry(text: string): Entrypoint {
  const at = text.lastIndexOf('#');
  const path = at < 0 ? text : text.slice(0, at);
  const exportName = at < 0 ? '' : text.slice(at + 1);
  if (path.trim() === '') throw wrongUsage("the entry must have a module path before '#'", '--entry <path>#<export>');
  const absolute = resolve(path);
  if (!existsSync(absolute) || !statSync(absolute).isFile()) throw noSuchProcess(path, '--entry');
  return { path: absolute, ...(exportName && { exportName }) };
}

/** @param path what names it: an option, or the file itself */
export const noSuchProcess = (file: string, path: string): ReinsError =>
  new ReinsError({
    code: 'process_not_found',
    message: `there is no file ${file}`,
    path,
    hint: 'a process is named by the path of its module, as seen from the working folder, and its export: process.mjs#process',
  });

/** The process of a run; undefined while it is a bare run. */
export function entrypointOf({ directory }: Pick<RunHandle, 'directory'>, process: ProcessRef): Entrypoint | undefined {
  if (process.id === BARE_RUN) return undefined;
  const [path = '', exportName] = process.id.split('#');
  return { path: placeOf(directory, path), ...(exportName && { exportName }) };
}

/**
 * A relative path leads from where the directory really lies; of a run that was created by a link, when that did not count yet, from the link.
 * Babysitter kept absolute paths of some: where such a file is gone, the run may have been moved together with its process.
 */
function placeOf(directory: string, path: string): string {
  if (!isAbsolute(path)) {
    const [real, byLink] = [join(realPath(directory), path), join(directory, path)];
    return !existsSync(real) && existsSync(byLink) ? byLink : real;
  }
  const moved = join(directory, '..', '..', basename(path));
  return !existsSync(path) && existsSync(moved) ? moved : path;
}

/**
 * How a run directory names a process: its path seen from there, so that both can be moved together. Seen from where the directory really lies:
 * the same by whatever links somebody came to it.
 */
export function processId(directory: string, { path, exportName }: Entrypoint): string {
  const real = join(realPath(dirname(path)), basename(path));
  const seen = relative(realPath(directory), real).split(sep).join('/');
  return exportName === undefined ? seen : `${seen}#${exportName}`;
}

/** Without links, also of a folder that is not there yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path === dirname(path) ? path : join(realPath(dirname(path)), basename(path));
  }
}

/** What a process is called by whom nobody told: its file's name. */
export const processName = ({ path }: Entrypoint): string => basename(path).replace(/\.[^.]+$/, '');

/** What `run.json` says of a process, in words for people. */
export function entryText(metadata: Readonly<Record<string, unknown>>): string | null {
  const { entrypoint } = metadata;
  if (!isObject(entrypoint) || typeof entrypoint.importPath !== 'string') return null;
  const { importPath, exportName } = entrypoint;
  return typeof exportName === 'string' ? `${importPath}#${exportName}` : importPath;
}

/** Of a bare run. */
export const noProcess = (path: string): ReinsError =>
  new ReinsError({
    code: 'process_missing',
    message: 'Run has no process assigned. Use run:assign-process to attach a process before iterating.',
    path,
    hint: `\`reins run:assign-process ${path} --entry <path>#<export>\``,
  });
