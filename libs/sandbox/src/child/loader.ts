import { registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReinsError } from '@reins/contracts';
import * as babysitter from '@reins/replay/babysitter';
import type { GraphModule, ModuleGraph } from '../graph/module-graph.ts';
import { freeze, keys, matches, startsWith, tableOf } from './captured.ts';
import { CommonJs } from './commonjs.ts';
import asyncHooks from './offered/async-hooks.ts';
import crypto from './offered/crypto.ts';
import fs from './offered/fs.ts';
import fsPromises from './offered/fs-promises.ts';
import perfHooks from './offered/perf-hooks.ts';
import processFacade from './offered/process.ts';
import replay from './offered/replay.ts';
import timers from './offered/timers.ts';
import timersPromises from './offered/timers-promises.ts';
import { isOffered } from './offered.ts';

interface OwnModule {
  readonly url: string;
  readonly exports: unknown;
}

const here = (path: string): string => new URL(`./offered/${path}${extname(import.meta.url)}`, import.meta.url).href;

/** Modules that are loaded already: those of Node.js that processes have in a form of our own, and those of ours. */
const OWN_MODULES = tableOf<OwnModule>({
  'node:async_hooks': { url: here('async-hooks'), exports: asyncHooks },
  'node:crypto': { url: here('crypto'), exports: crypto },
  'node:fs': { url: here('fs'), exports: fs },
  'node:fs/promises': { url: here('fs-promises'), exports: fsPromises },
  'node:perf_hooks': { url: here('perf-hooks'), exports: perfHooks },
  'node:process': { url: here('process'), exports: processFacade },
  'node:timers': { url: here('timers'), exports: timers },
  'node:timers/promises': { url: here('timers-promises'), exports: timersPromises },
  'reins:replay': { url: here('replay'), exports: replay },
  'reins:babysitter': { url: import.meta.resolve('@reins/replay/babysitter'), exports: babysitter },
});

/** What processes get of these: to be frozen. */
export const ownExports = (): unknown[] => keys(OWN_MODULES).map((name) => OWN_MODULES[name]?.exports);

const realBuiltin = process.getBuiltinModule;
const SCRIPTS = 'reins:scripts';
/** Resolves relative specifiers, as a captured function: authored code sees the class that it belongs to. */
const AbsoluteUrl = URL;

/** The exports of a script, for the modules that import it. */
let scripts: CommonJs | undefined;
export const exportsOf = (path: string): unknown => scripts?.exportsOf(path);

/** What the hooks of Node.js look at. Its tables inherit nothing. */
interface ServedModules {
  readonly root: string;
  readonly modules: Readonly<Record<string, GraphModule | undefined>>;
  readonly pathOf: Readonly<Record<string, string | undefined>>;
  readonly urlOf: Readonly<Record<string, string | undefined>>;
}

/** From here on Node.js loads the modules of this graph, as they were read, and what a process may have next to them; nothing else. */
export function serve(graph: ModuleGraph): { readonly entry: string } {
  const served = servedModules(graph);
  scripts = new CommonJs(served, offered);
  registerHooks({
    resolve: (specifier, { parentURL = '' }) => {
      const from = served.pathOf[parentURL];
      const to = from === undefined ? served.pathOf[specifier] : target(served, from, specifier, parentURL);
      const located = to === undefined ? undefined : locatedAt(to, served);
      if (located === undefined) throw notThere(specifier, from);
      return { __proto__: null, shortCircuit: true, ...located };
    },
    load: (url, context, next) => {
      const path = served.pathOf[url];
      if (path !== undefined) return { __proto__: null, shortCircuit: true, ...loaded(path, served) };
      if (!isOurs(url)) throw notThere(url, undefined);
      return next(url, context);
    },
  });
  return { entry: served.urlOf[graph.entry] ?? '' };
}

function servedModules({ root, modules }: ModuleGraph): ServedModules {
  const served: Record<string, GraphModule> = {};
  const pathOf: Record<string, string> = {};
  const urlOf: Record<string, string> = {};
  for (const path of keys(modules)) {
    const { format, code, imports } = modules[path] as GraphModule;
    const url = pathToFileURL(join(root, path)).href;
    served[path] = freeze({ format, code, imports: tableOf(imports) as Readonly<Record<string, string>> });
    pathOf[url] = path;
    urlOf[path] = url;
  }
  return freeze({ root, modules: tableOf(served), pathOf: tableOf(pathOf), urlOf: tableOf(urlOf) });
}

/** Our own modules, as URLs. */
const OWN_URLS = tableOf<true>(
  Object.fromEntries(
    [import.meta.url, ...keys(OWN_MODULES).map((name) => OWN_MODULES[name]?.url)].map((url) => [url, true]),
  ),
);

/** What Node.js itself may load. */
const isOurs = (url: string): boolean => OWN_URLS[url] === true || isSharedBuiltin(url);

/** Whether a process gets this module of Node.js as it is. */
const isSharedBuiltin = (name: string): boolean =>
  OWN_MODULES[name] === undefined && startsWith(name, 'node:') && isOffered(name);

/** Where an import leads whose specifier may have been put together while the process ran. */
function target(
  { modules, pathOf }: ServedModules,
  from: string,
  specifier: string,
  parentUrl: string,
): string | undefined {
  const module = modules[from] as GraphModule;
  const named = module.imports[specifier];
  if (named !== undefined) return named;
  if (specifier === SCRIPTS && module.format === 'commonjs') return SCRIPTS;
  return matches(/^(\.{0,2}\/|file:)/, specifier) ? pathOf[new AbsoluteUrl(specifier, parentUrl).href] : undefined;
}

function locatedAt(to: string, { urlOf, modules }: ServedModules) {
  if (to === SCRIPTS) return { url: import.meta.url, format: 'module' };
  const own = OWN_MODULES[to];
  if (own !== undefined) return { url: own.url, format: 'module' };
  if (isSharedBuiltin(to)) return { url: to, format: 'builtin' };
  const url = urlOf[to];
  return url === undefined ? undefined : { url, format: modules[to]?.format === 'json' ? 'json' : 'module' };
}

function loaded(path: string, { modules }: ServedModules) {
  const { format, code } = modules[path] as GraphModule;
  if (format !== 'commonjs') return { format, source: code };
  return { format: 'module' as const, source: (scripts as CommonJs).asModule(path, SCRIPTS) };
}

/** The module of the sandbox that a script requires. Undefined for a file, and for what a process may not have. */
function offered(name: string): { readonly exports: unknown } | undefined {
  const own = OWN_MODULES[name];
  if (own !== undefined) return own;
  return isSharedBuiltin(name) ? { exports: realBuiltin(name) } : undefined;
}

function notThere(specifier: string, from: string | undefined): ReinsError {
  return new ReinsError({
    code: 'process_import_refused',
    message: `${specifier} is not a module of this process`,
    path: from === undefined ? specifier : `${from} → ${specifier}`,
    hint: 'Keep the module in the folder of the process, and write its name out where it is imported.',
  });
}
