import { registerHooks } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReinsError } from '@reins/contracts';
import * as babysitter from '@reins/replay/babysitter';
import type { GraphModule, ModuleGraph } from '../graph/module-graph.ts';
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

const here = (path: string): string => new URL(`./offered/${path}${extname(import.meta.url)}`, import.meta.url).href;

/** The modules of Node.js that processes have in a form of their own. */
const FACADES: ReadonlyMap<string, { readonly url: string; readonly exports: unknown }> = new Map([
  ['node:async_hooks', { url: here('async-hooks'), exports: asyncHooks }],
  ['node:crypto', { url: here('crypto'), exports: crypto }],
  ['node:fs', { url: here('fs'), exports: fs }],
  ['node:fs/promises', { url: here('fs-promises'), exports: fsPromises }],
  ['node:perf_hooks', { url: here('perf-hooks'), exports: perfHooks }],
  ['node:process', { url: here('process'), exports: processFacade }],
  ['node:timers', { url: here('timers'), exports: timers }],
  ['node:timers/promises', { url: here('timers-promises'), exports: timersPromises }],
]);

/** What processes may import of ours, and where it is: loaded already, so that its classes are those of the engine. */
const OURS: ReadonlyMap<string, { readonly url: string; readonly exports: unknown }> = new Map([
  ['reins:replay', { url: here('replay'), exports: replay }],
  ['reins:babysitter', { url: import.meta.resolve('@reins/replay/babysitter'), exports: babysitter }],
]);

const realBuiltin = process.getBuiltinModule;
const SCRIPTS = 'reins:scripts';

/** Brings the scripts' exports to the modules that import them. */
let scripts: CommonJs | undefined;
export const exportsOf = (path: string): unknown => scripts?.exportsOf(path);

/** From here on nothing is loaded but the modules of this graph, from what was read of them, and what they may have beside. */
export function serve(graph: ModuleGraph): { readonly entry: string } {
  const urlOf = (path: string) => pathToFileURL(join(graph.root, path)).href;
  const pathOf = new Map(Object.keys(graph.modules).map((path) => [urlOf(path), path]));
  scripts = new CommonJs(graph, offered);
  registerHooks({
    resolve: (specifier, context) => {
      const from = pathOf.get(context.parentURL ?? '');
      const to = from === undefined ? pathOf.get(specifier) : target(graph, from, specifier, pathOf, context.parentURL);
      if (to === undefined) throw notThere(specifier, from);
      return { shortCircuit: true, ...located(to, urlOf, graph) };
    },
    load: (url, context, next) => {
      const path = pathOf.get(url);
      if (path === undefined) return next(url, context);
      return { shortCircuit: true, ...loaded(path, graph.modules[path] as GraphModule) };
    },
  });
  return { entry: urlOf(graph.entry) };
}

/** Where an import leads that may have been put together while the process ran. */
function target(
  { modules }: ModuleGraph,
  from: string,
  specifier: string,
  pathOf: ReadonlyMap<string, string>,
  parentUrl = '',
): string | undefined {
  const module = modules[from] as GraphModule;
  if (Object.hasOwn(module.imports, specifier)) return module.imports[specifier];
  if (specifier === SCRIPTS && module.format === 'commonjs') return SCRIPTS;
  return /^(\.{0,2}\/|file:)/.test(specifier) ? pathOf.get(new URL(specifier, parentUrl).href) : undefined;
}

function located(to: string, urlOf: (path: string) => string, { modules }: ModuleGraph) {
  if (to === SCRIPTS) return { url: import.meta.url, format: 'module' };
  if (to.startsWith('node:'))
    return { url: FACADES.get(to)?.url ?? to, format: FACADES.has(to) ? 'module' : 'builtin' };
  if (to.startsWith('reins:')) return { url: OURS.get(to)?.url ?? to, format: 'module' };
  return { url: urlOf(to), format: modules[to]?.format === 'json' ? 'json' : 'module' };
}

function loaded(path: string, { format, code }: GraphModule) {
  if (format !== 'commonjs') return { format, source: code };
  return { format: 'module' as const, source: (scripts as CommonJs).asModule(path, SCRIPTS) };
}

/** What a script gets for `require` of something that is no file. */
function offered(name: string): unknown {
  return (FACADES.get(name) ?? OURS.get(name))?.exports ?? realBuiltin(name);
}

function notThere(specifier: string, from: string | undefined): ReinsError {
  return new ReinsError({
    code: 'process_import_refused',
    message: `${specifier} is none of the modules of this process`,
    path: from === undefined ? specifier : `${from} → ${specifier}`,
    hint: 'what a process imports lies in its folder, and is named where it is imported',
  });
}
