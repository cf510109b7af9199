import { registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReinsError } from '@reins/contracts';
import * as babysitter from '@reins/replay/babysitter';
import type { GraphModule, ModuleGraph } from '../graph/module-graph.ts';
import { freeze, keys, matches, startsWith, tableOf } from './captured.ts';
import { type CommonJs, runScripts } from './commonjs.ts';
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
import './script-exports.ts';

interface OwnModule {
  readonly url: string;
  readonly exports: unknown;
}

const ownUrl = (path: string): string => new URL(`./${path}${extname(import.meta.url)}`, import.meta.url).href;
const here = (path: string): string => ownUrl(`offered/${path}`);

/** Modules that are already loaded: our own modules, and our replacements for modules of Node.js. */
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

/** The exports of these modules. They are to be frozen. */
export const ownExports = (): unknown[] => keys(OWN_MODULES).map((name) => OWN_MODULES[name]?.exports);

const realBuiltin = process.getBuiltinModule;
/**
 * The prefix of the URL of the ES module that wraps a script. No authored code has such a URL, and no import can
 * resolve to one.
 */
const STAND_IN = 'reins:script/';
/** The only module that these wrappers import. */
const SCRIPT_EXPORTS = ownUrl('script-exports');
/** Resolves relative specifiers. Captured, because authored code can reach the class. */
const AbsoluteUrl = URL;

/** What the module hooks of Node.js read. Its tables have no prototype. */
interface ServedModules {
  readonly root: string;
  readonly modules: Readonly<Record<string, GraphModule | undefined>>;
  /** By the URL that authored code sees, from which relative imports are resolved. */
  readonly pathOf: Readonly<Record<string, string | undefined>>;
  /** By the URL that Node.js loads. For a script this is the URL of its wrapper. */
  readonly loadedFrom: Readonly<Record<string, string | undefined>>;
  readonly urlOf: Readonly<Record<string, string | undefined>>;
}

/**
 * From here on, Node.js loads only the modules of this graph, with the content that was read, and the builtins that a
 * process may use.
 * @throws Error when modules are served already
 */
export function serve(graph: ModuleGraph): { readonly entry: string } {
  const served = servedModules(graph);
  const scripts = runScripts(served, offered);
  const entry = served.urlOf[graph.entry] ?? '';
  registerHooks({
    resolve: (specifier, { parentURL = '' }) => {
      const located = locate(served, specifier, parentURL, entry);
      if (located === undefined) throw notThere(specifier, served.pathOf[parentURL]);
      return { __proto__: null, shortCircuit: true, ...located };
    },
    load: (url, context, next) => {
      const path = served.loadedFrom[url];
      if (path !== undefined) return { __proto__: null, shortCircuit: true, ...loaded(path, served, scripts) };
      if (!isOurs(url)) throw notThere(url, undefined);
      return next(url, context);
    },
  });
  return { entry };
}

function servedModules({ root, modules }: ModuleGraph): ServedModules {
  const served: Record<string, GraphModule> = {};
  const pathOf: Record<string, string> = {};
  const loadedFrom: Record<string, string> = {};
  const urlOf: Record<string, string> = {};
  for (const path of keys(modules)) {
    const { format, code, imports } = modules[path] as GraphModule;
    const url = pathToFileURL(join(root, path)).href;
    const from = format === 'commonjs' ? `${STAND_IN}${url}` : url;
    served[path] = freeze({ format, code, imports: tableOf(imports) as Readonly<Record<string, string>> });
    pathOf[url] = path;
    loadedFrom[from] = path;
    urlOf[path] = from;
  }
  const tables = { pathOf: tableOf(pathOf), loadedFrom: tableOf(loadedFrom), urlOf: tableOf(urlOf) };
  return freeze({ root, modules: tableOf(served), ...tables });
}

/** The URLs of our own modules. */
const OWN_URLS = tableOf<true>(
  Object.fromEntries(
    [SCRIPT_EXPORTS, ...keys(OWN_MODULES).map((name) => OWN_MODULES[name]?.url)].map((url) => [url, true]),
  ),
);

/** Whether Node.js itself loads this module. */
const isOurs = (url: string): boolean => OWN_URLS[url] === true || isSharedBuiltin(url);

/** Whether a process gets this module of Node.js unchanged. */
const isSharedBuiltin = (name: string): boolean =>
  OWN_MODULES[name] === undefined && startsWith(name, 'node:') && isOffered(name);

interface Located {
  readonly url: string;
  readonly format: 'module' | 'json' | 'builtin';
}

/**
 * The target of an import. The parent URL identifies the importer: authored code, the wrapper of a script, or our own
 * code.
 */
function locate(served: ServedModules, specifier: string, parentUrl: string, entry: string): Located | undefined {
  const from = served.pathOf[parentUrl];
  if (from !== undefined) return locatedAt(target(served, from, specifier, parentUrl), served);
  if (startsWith(parentUrl, STAND_IN))
    return specifier === SCRIPT_EXPORTS ? { url: SCRIPT_EXPORTS, format: 'module' } : undefined;
  return specifier === entry ? locatedAt(served.loadedFrom[entry], served) : undefined;
}

/** The target of an import whose specifier may have been computed at run time. */
function target({ modules, pathOf }: ServedModules, from: string, specifier: string, parentUrl: string) {
  const named = (modules[from] as GraphModule).imports[specifier];
  if (named !== undefined) return named;
  return matches(/^(\.{0,2}\/|file:)/, specifier) ? pathOf[new AbsoluteUrl(specifier, parentUrl).href] : undefined;
}

function locatedAt(to: string | undefined, { urlOf, modules }: ServedModules): Located | undefined {
  if (to === undefined) return undefined;
  const own = OWN_MODULES[to];
  if (own !== undefined) return { url: own.url, format: 'module' };
  if (isSharedBuiltin(to)) return { url: to, format: 'builtin' };
  const url = urlOf[to];
  return url === undefined ? undefined : { url, format: formatOf(modules[to]) };
}

/** Some formats of Node.js would give a module access to builtins. A graph cannot request them. */
const formatOf = (module: GraphModule | undefined): 'module' | 'json' =>
  module?.format === 'json' ? 'json' : 'module';

function loaded(path: string, { modules }: ServedModules, scripts: CommonJs) {
  const module = modules[path] as GraphModule;
  const source = module.format === 'commonjs' ? scripts.asModule(path, SCRIPT_EXPORTS) : module.code;
  return { format: formatOf(module), source };
}

/**
 * The module of the sandbox that a script requires. Undefined for a file, and for modules that a process may not use.
 */
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
    hint: 'Keep the module in the folder of the process, and import it with a literal name.',
  });
}
