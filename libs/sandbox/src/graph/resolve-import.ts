import { existsSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { defined, type JsonObject, type Problem } from '@reins/contracts';
import { isOffered } from '../child/offered.ts';
import { isWithin } from './hidden-folders.ts';
import { type Resolution, resolveFrom } from './package-resolution.ts';
import type { NamedImport } from './parse-module.ts';

/** Packages that the sandbox provides, regardless of `node_modules`. */
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

/** Resolves an import as Node.js does. @param manifestIn the package.json of a folder, as it was read */
export function resolveImport(
  { specifier, by }: NamedImport,
  from: string,
  manifestIn: (folder: string) => JsonObject | undefined,
): Resolved {
  const own = ownModule(specifier);
  if (own !== undefined) return { own };
  if (specifier.startsWith('node:') || isBuiltin(specifier)) return refusedBuiltin(specifier);
  const file =
    by === 'require'
      ? required(specifier, from, { manifestIn, conditions: REQUIRED })
      : resolveFrom(specifier, from, { manifestIn, conditions: IMPORTED });
  return file === undefined ? refused(`${specifier} was not found`) : { file };
}

/** The manifests within the folder of the process that decide what a specifier refers to. */
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

/**
 * The module of the sandbox that a specifier refers to; undefined for a file, and for modules that processes may not
 * use.
 */
export function ownModule(specifier: string): string | undefined {
  const ours = OURS.get(specifier);
  if (ours !== undefined) return ours;
  const name = specifier.replace(/^node:/, '');
  return (specifier.startsWith('node:') || isBuiltin(specifier)) && isOffered(name) ? `node:${name}` : undefined;
}

function refusedBuiltin(specifier: string): Resolved {
  return refused(
    `a process may not import node:${specifier.replace(/^node:/, '')}`,
    'Use an effect for work outside the process: ctx.task or ctx.effect.',
  );
}

function refused(message: string, hint?: string): Resolved {
  return { problem: { code: 'process_import_refused', message, ...defined({ hint }) } };
}

const IMPORTED: ReadonlySet<string> = new Set(['node', 'import']);
const REQUIRED: ReadonlySet<string> = new Set(['node', 'require']);

/** CommonJS omits extensions and `index.js` (https://nodejs.org/api/modules.html#all-together). */
function required(specifier: string, from: string, resolution: Resolution): string | undefined {
  const isPath = /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..';
  for (const ending of ['', '.js', '.json', '/index.js', '/index.json']) {
    const file = isPath
      ? resolve(dirname(from), specifier + ending)
      : resolveFrom(specifier + ending, from, resolution);
    if (file !== undefined && /\.\w+$/.test(file) && existsSync(file)) return file;
  }
  return undefined;
}
