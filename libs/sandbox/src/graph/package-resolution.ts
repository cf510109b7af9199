import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/**
 * Resolves imports as Node.js does (https://nodejs.org/api/esm.html#resolution-algorithm), with manifests that were
 * already read: the checked content is the content that is used.
 */
export interface Resolution {
  /** The package.json of a folder. Undefined when the process has none there. */
  readonly manifestIn: (folder: string) => JsonObject | undefined;
  readonly conditions: ReadonlySet<string>;
}

/** The absolute path to which a specifier resolves. Undefined when there is none. */
export function resolveFrom(specifier: string, from: string, resolution: Resolution): string | undefined {
  const file = targetOf(specifier, from, resolution);
  if (file === undefined || !existsSync(file)) return undefined;
  return statSync(file).isFile() ? file : undefined;
}

function targetOf(specifier: string, from: string, resolution: Resolution): string | undefined {
  if (/^\.{0,2}\//.test(specifier)) return pathOf(specifier, from);
  if (specifier.startsWith('#')) return importOf(specifier, from, resolution);
  if (URL.canParse(specifier)) return specifier.startsWith('file:') ? pathOf(specifier, from) : undefined;
  return packaged(specifier, from, resolution);
}

function pathOf(specifier: string, from: string): string | undefined {
  try {
    const url = new URL(specifier, pathToFileURL(from));
    return /%2f|%5c/i.test(url.pathname) ? undefined : fileURLToPath(url);
  } catch {
    return undefined; // The URL has a host.
  }
}

/** The nearest folder with a manifest. */
function scopeOf(from: string, { manifestIn }: Resolution): { folder: string; manifest: JsonObject } | undefined {
  for (let folder = dirname(from); !folder.endsWith('node_modules'); folder = dirname(folder)) {
    const manifest = manifestIn(folder);
    if (manifest) return { folder, manifest };
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

function importOf(specifier: string, from: string, resolution: Resolution): string | undefined {
  const scope = scopeOf(from, resolution);
  const imports = scope?.manifest.imports;
  if (!scope || !isObject(imports) || specifier === '#' || specifier.startsWith('#/')) return undefined;
  return mapped(specifier, imports, { ...resolution, folder: scope.folder, isInternal: true }) ?? undefined;
}

const PACKAGE = /^((?:@[^/\\%]+\/)?[^./\\%@][^/\\%]*)(\/.*)?$/;

function packaged(specifier: string, from: string, resolution: Resolution): string | undefined {
  const [, name, rest = ''] = PACKAGE.exec(specifier) ?? [];
  if (name === undefined || rest.endsWith('/')) return undefined;
  const subpath = `.${rest}`;
  const scope = scopeOf(from, resolution);
  if (scope?.manifest.name === name && scope.manifest.exports != null) return exported(subpath, scope, resolution);
  for (let at = dirname(from); ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (isFolder(folder)) return inPackage(subpath, folder, resolution);
    if (at === dirname(at)) return undefined;
  }
}

function inPackage(subpath: string, folder: string, resolution: Resolution): string | undefined {
  const manifest = resolution.manifestIn(folder);
  if (manifest?.exports != null) return exported(subpath, { folder, manifest }, resolution);
  if (subpath !== '.') return pathOf(subpath, join(folder, 'package.json'));
  const main = typeof manifest?.main === 'string' ? manifest.main : undefined;
  const tried =
    main === undefined ? [] : ['', '.js', '.json', '/index.js', '/index.json'].map((end) => `${main}${end}`);
  const found = [...tried, 'index.js', 'index.json'].map((name) => resolve(folder, name));
  return found.find((file) => existsSync(file) && statSync(file).isFile());
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

function exported(
  subpath: string,
  { folder, manifest }: { readonly folder: string; readonly manifest: JsonObject },
  resolution: Resolution,
): string | undefined {
  const { exports = null } = manifest;
  const keys = isObject(exports) ? Object.keys(exports) : [];
  const dotted = keys.filter((key) => key.startsWith('.'));
  if (dotted.length > 0 && dotted.length < keys.length) return undefined;
  const table = dotted.length > 0 ? (exports as JsonObject) : { '.': exports };
  return mapped(subpath, table, { ...resolution, folder, isInternal: false }) ?? undefined;
}

interface Target extends Resolution {
  /** The folder of the package. */
  readonly folder: string;
  /** Whether the table is `imports` of the package, which may refer to other packages. */
  readonly isInternal: boolean;
}

function mapped(name: string, table: JsonObject, target: Target): string | null | undefined {
  if (Object.hasOwn(table, name) && !name.includes('*')) return targeted(table[name] ?? null, undefined, target);
  const patterns = Object.keys(table).filter((key) => key.split('*').length === 2 && matches(name, key));
  const [best] = patterns.sort(byPrecedence);
  if (best === undefined) return undefined;
  const [start = '', end = ''] = best.split('*');
  return targeted(table[best] ?? null, name.slice(start.length, name.length - end.length), target);
}

function matches(name: string, pattern: string): boolean {
  const [start = '', end = ''] = pattern.split('*');
  return name !== start && name.startsWith(start) && name.endsWith(end) && name.length >= pattern.length;
}

/** Sorts the longest prefix first. */
const byPrecedence = (a: string, b: string): number => b.indexOf('*') - a.indexOf('*') || b.length - a.length;

const LEAVES = /(^|\/|\\)(\.{1,2}|node_modules|%2e|%2e%2e|\.%2e|%2e\.)(\/|\\|$)/i;

/** @returns null for an excluded path, undefined without a target */
function targeted(value: JsonValue, part: string | undefined, target: Target): string | null | undefined {
  if (typeof value === 'string') return atTarget(value, part, target);
  if (Array.isArray(value)) {
    let last: string | null | undefined;
    for (const one of value) {
      last = targeted(one, part, target);
      if (typeof last === 'string') return last;
    }
    return last;
  }
  if (!isObject(value)) return null;
  for (const [condition, inner] of Object.entries(value)) {
    if (condition !== 'default' && !target.conditions.has(condition)) continue;
    const found = targeted(inner ?? null, part, target);
    if (found !== undefined) return found;
  }
  return undefined;
}

function atTarget(value: string, part: string | undefined, target: Target): string | undefined {
  const filled = part === undefined ? value : value.replaceAll('*', () => part);
  const manifest = join(target.folder, 'package.json');
  if (!value.startsWith('./')) {
    const isElsewhere = /^\.{0,2}\//.test(value) || value.startsWith('..') || URL.canParse(value);
    return target.isInternal && !isElsewhere ? packaged(filled, manifest, target) : undefined;
  }
  if (LEAVES.test(value.slice(2)) || (part !== undefined && LEAVES.test(part))) return undefined;
  return pathOf(filled, manifest);
}
