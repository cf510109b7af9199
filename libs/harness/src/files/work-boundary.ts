import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A call of a built-in tool of the executor. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

/** The folders that a run may read and write. Relative paths are resolved against the first one, its working directory. */
export type AllowedFolders = readonly [workDir: string, ...more: string[]];

const GUARDED = new Set(['read', 'write', 'edit', 'bash', 'grep', 'find', 'ls']);
const PATH_KEY = /(^|_)(path|file|filepath|filename|target|source|destination|cwd|dir|directory|root)$/;
const COMMAND_KEY = /^(command|cmd|script)$/;
const URL_LIKE = /^[a-z][a-z0-9+.-]*:\/\//i;
/** Devices that every command may use. */
const DEVICES = /^\/dev\/(null|zero|u?random|tty|std(in|out|err)|fd(\/.*)?)$/;
const PROGRAMS = /^\/(usr|bin|sbin|lib|lib64)(\/|$)/;

/**
 * Returns why a call accesses a path outside the folders of its run; undefined when it does not. Paths of file tools
 * are resolved, including symbolic links. Commands are only parsed: paths from variables, substitutions or programs
 * are not detected. This prevents accidents; it is not a sandbox. Served tools are checked by their servers.
 */
export function boundaryViolation({ tool, input }: ToolCall, folders: AllowedFolders): string | undefined {
  return GUARDED.has(tool) ? violationIn(input, folders) : undefined;
}

function violationIn(value: unknown, folders: AllowedFolders): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, entry] of Object.entries(value)) {
    const found = typeof entry === 'string' ? textViolation(key, entry, folders) : violationIn(entry, folders);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textViolation(key: string, text: string, folders: AllowedFolders): string | undefined {
  if (PATH_KEY.test(key))
    return outside(text.replace(/^@/, ''), folders[0], folders) ? outsideMessage(text) : undefined;
  return COMMAND_KEY.test(key) ? commandViolation(text, folders) : undefined;
}

const outsideMessage = (path: string): string => `${JSON.stringify(path)} is outside the working directory`;

/** Whether a path, relative to the folder `from`, is outside all allowed folders. */
function outside(path: string, from: string, folders: AllowedFolders): boolean {
  if (path.startsWith('~') || /^\$\{?HOME\b/.test(path)) return true;
  if (URL_LIKE.test(path) && !path.startsWith('file:')) return false;
  const local = path.startsWith('file:') ? pathOf(path) : path;
  if (local === undefined) return true;
  const real = realOf(resolve(from, local));
  return !folders.some((folder) => isInside(realOf(folder), real));
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined; // The URL has another host, or is invalid.
  }
}

function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== '..' && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}

/** Resolves all symbolic links in the part of the path that exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOf(parent), basename(path));
  }
}

/** A word, quoted or not; a redirection; or the separator of two simple commands. */
const PIECE = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\;&|<>()])+|[<>]+|[;&|()\n]+/g;

function commandViolation(command: string, folders: AllowedFolders): string | undefined {
  let folder: string = folders[0];
  let before: string | undefined;
  let first = true;
  let changesFolder = false;
  for (const [piece] of command.matchAll(PIECE)) {
    if (/^[;&|()\n]/.test(piece)) [first, changesFolder] = [true, false];
    else if (!/^[<>]/.test(piece)) {
      const word = wordOf(piece);
      const path = word.startsWith('-') || /^\w+=/.test(word) ? word.slice(word.indexOf('=') + 1) : word;
      const written = before?.startsWith('>') === true;
      if ((changesFolder || isPath(path)) && !isHarmless(path, written) && outside(path, folder, folders))
        return outsideMessage(path);
      if (changesFolder && word !== '-') folder = resolve(folder, word);
      changesFolder = first && word === 'cd';
      first = false;
    }
    before = piece;
  }
  return undefined;
}

/** A word without its quotes. */
function wordOf(piece: string): string {
  return piece.replace(/\\(.)|["']/g, '$1').replace(/^\$\{?PWD\b\}?/, '.');
}

function isPath(word: string): boolean {
  return word.includes('/') || word.startsWith('.') || word.startsWith('~') || word.startsWith('$HOME');
}

/** A device, a program that is executed or read, or an argument that only looks like a path, such as an expression. */
function isHarmless(path: string, written: boolean): boolean {
  if (!path.startsWith('/')) return path === '-';
  if (DEVICES.test(path)) return true;
  if (!written && PROGRAMS.test(path)) return true;
  const [, top = ''] = path.split('/');
  return top !== '' && !written && !existsSync(`/${top}`);
}
