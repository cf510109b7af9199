import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Problem } from '@reins/contracts';
import { moduleResolve } from 'import-meta-resolve';
import { isOffered } from '../child/offered.ts';
import { isWithin } from './hidden-folders.ts';
import type { NamedImport } from './parse-module.ts';

/** Packages that the sandbox has itself, whatever lies in `node_modules`. */
const OURS: ReadonlyMap<string, string> = new Map([
  ['@reins/replay', 'reins:replay'],
  ['@reins/replay/babysitter', 'reins:babysitter'],
  ['@a5c-ai/babysitter-sdk', 'reins:babysitter'],
]);

/** The target of an import: a file, a module of the sandbox (`node:…`, `reins:…`), or a problem. */
export type Resolved =
  | { readonly file: string }
  | { readonly own: string }
  | { readonly problem: Pick<Problem, 'code' | 'message' | 'hint'> };

/** Resolves an import as Node.js does (https://nodejs.org/api/esm.html#resolution-algorithm). */
export function resolveImport({ specifier, by }: NamedImport, from: string): Resolved {
  const own = ownModule(specifier);
  if (own !== undefined) return { own };
  if (specifier.startsWith('node:') || isBuiltin(specifier)) return refusedBuiltin(specifier);
  const file = by === 'require' ? required(specifier, from) : imported(specifier, from, ['node', 'import']);
  return file === undefined ? refused(`${specifier} was not found`) : { file };
}

/**
 * The manifests that decide what a specifier means, as far as they are in the folder of the process. Node.js reads them without a look at
 * what they are.
 */
export function manifestsOf(specifier: string, from: string, root: string): string[] {
  if (specifier.startsWith('node:') || isBuiltin(specifier) || OURS.has(specifier)) return [];
  const [name] = /^(?:@[^/]+\/)?[^/.#:][^/]*/.exec(specifier) ?? [];
  const found: string[] = [];
  for (let at = dirname(from); isWithin(root, at); at = dirname(at)) {
    found.push(join(at, 'package.json'));
    if (name !== undefined) found.push(join(at, 'node_modules', name, 'package.json'));
    if (at === root) break;
  }
  return found;
}

/** The module of the sandbox that a specifier means; undefined for a file, and for what processes may not have. */
export function ownModule(specifier: string): string | undefined {
  const ours = OURS.get(specifier);
  if (ours !== undefined) return ours;
  const name = specifier.replace(/^node:/, '');
  return (specifier.startsWith('node:') || isBuiltin(specifier)) && isOffered(name) ? `node:${name}` : undefined;
}

function refusedBuiltin(specifier: string): Resolved {
  return refused(
    `a process may not import node:${specifier.replace(/^node:/, '')}`,
    'Use an effect for work with the world: ctx.task, ctx.effect.',
  );
}

function refused(message: string, hint?: string): Resolved {
  return { problem: { code: 'process_import_refused', message, ...(hint !== undefined && { hint }) } };
}

function imported(specifier: string, from: string, conditions: readonly string[]): string | undefined {
  try {
    const url = moduleResolve(specifier, pathToFileURL(from), new Set(conditions), true);
    return url.protocol === 'file:' ? fileURLToPath(url) : undefined;
  } catch {
    return undefined;
  }
}

/** CommonJS omits extensions and `index.js` (https://nodejs.org/api/modules.html#all-together). */
function required(specifier: string, from: string): string | undefined {
  const isPath = /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..';
  for (const ending of ['', '.js', '.json', '/index.js', '/index.json']) {
    const file = isPath
      ? resolve(dirname(from), specifier + ending)
      : imported(specifier + ending, from, ['node', 'require']);
    if (file !== undefined && /\.\w+$/.test(file) && existsSync(file)) return file;
  }
  return undefined;
}
