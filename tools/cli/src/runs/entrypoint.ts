import { existsSync, statSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
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

/** `<path>#<export>`, the path seen from the working folder. @throws ReinsError `wrong_usage` */
export function parseEntry(text: string): Entrypoint {
  const at = text.lastIndexOf('#');
  const path = at < 0 ? text : text.slice(0, at);
  const exportName = at < 0 ? '' : text.slice(at + 1);
  if (path.trim() === '') throw wrongUsage("the entry must have a module path before '#'", '--entry <path>#<export>');
  const absolute = resolve(path);
  if (!existsSync(absolute) || !statSync(absolute).isFile())
    throw new ReinsError({ code: 'process_invalid', message: `there is no file ${path}`, path: '--entry' });
  return { path: absolute, ...(exportName && { exportName }) };
}

/** The process of a run; undefined while it is a bare run. */
export function entrypointOf({ directory }: Pick<RunHandle, 'directory'>, process: ProcessRef): Entrypoint | undefined {
  if (process.id === BARE_RUN) return undefined;
  const [path = '', exportName] = process.id.split('#');
  return { path: placeOf(directory, path), ...(exportName && { exportName }) };
}

/** Babysitter kept absolute paths of some: where such a file is gone, the run may have been moved together with its process. */
function placeOf(directory: string, path: string): string {
  if (!isAbsolute(path)) return join(directory, path);
  const moved = join(directory, '..', '..', basename(path));
  return !existsSync(path) && existsSync(moved) ? moved : path;
}

/** How a run directory names a process: its path seen from there, so that both can be moved together. */
export function processId(directory: string, { path, exportName }: Entrypoint): string {
  const seen = relative(directory, path).split(sep).join('/');
  return exportName === undefined ? seen : `${seen}#${exportName}`;
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
  });
