import { dirname, join } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { ReinsError } from '@reins/contracts';
import type { GraphModule } from '../graph/module-graph.ts';
import { keys, MapOf, mapDelete, mapGet, mapSet, parseJson, replaceText, stringifyJson, textOf } from './captured.ts';

interface Script {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  loaded: boolean;
}

/** The modules of a process, in objects without a prototype. */
export interface ScriptGraph {
  readonly root: string;
  readonly modules: Readonly<Record<string, GraphModule | undefined>>;
}

/**
 * Runs the CommonJS modules of a process. Under Node.js they could reach every module through `module.constructor`.
 * Here they reach only their own exports and the imports of the graph.
 */
export class CommonJs {
  readonly #graph: ScriptGraph;
  readonly #offered: (name: string) => { readonly exports: unknown } | undefined;
  readonly #scripts = new MapOf<string, Script>();

  constructor(graph: ScriptGraph, offered: (name: string) => { readonly exports: unknown } | undefined) {
    this.#graph = graph;
    this.#offered = offered;
  }

  /**
   * The source of an ES module that re-exports a script, with a name for each of its exports.
   * @param scripts the module from which it imports `exportsOf`
   */
  asModule(path: string, scripts: string): string {
    const exports = this.exportsOf(path);
    const members = typeof exports === 'object' || typeof exports === 'function' ? keys(exports ?? {}) : [];
    const names = members.filter((name) => name !== 'default');
    const lines = names.map(
      (name, i) => `const _${i} = all[${stringifyJson(name)}]; export { _${i} as ${stringifyJson(name)} };`,
    );
    return [
      `import { exportsOf } from ${stringifyJson(scripts)};`,
      `const all = exportsOf(${stringifyJson(path)}); export default all;`,
      ...lines,
    ].join('\n');
  }

  /** The exports of a script. The first use runs it. */
  exportsOf(path: string): unknown {
    const known = mapGet(this.#scripts, path);
    if (known) return known.exports;
    const module = this.#graph.modules[path];
    if (module === undefined) throw refused(path, `${path} is not a module of this process`);
    const { code, format, imports } = module;
    if (format === 'json') return parseJson(code);
    if (format === 'module') throw refused(path, 'a CommonJS module cannot require an ES module; use import()');
    const filename = join(this.#graph.root, path);
    const script: Script = { exports: {}, id: filename, filename, loaded: false };
    mapSet(this.#scripts, path, script);
    try {
      this.#run(script, code, imports);
    } catch (error) {
      mapDelete(this.#scripts, path);
      throw error;
    }
    return script.exports;
  }

  #run(script: Script, code: string, imports: GraphModule['imports']): void {
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    const { filename } = script;
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const work = compileFunction(replaceText(code, /^#!/, '//'), parameters, { filename, importModuleDynamically });
    work.call(
      script.exports,
      script.exports,
      (name: unknown) => this.#require(filename, imports, name),
      script,
      filename,
      dirname(filename),
    );
    script.loaded = true;
  }

  #require(from: string, imports: GraphModule['imports'], name: unknown): unknown {
    const to = typeof name === 'string' ? imports[name] : undefined;
    if (to === undefined) throw refused(`${from} → ${textOf(name)}`, `${textOf(name)} is not a module of this process`);
    const known = this.#offered(to);
    return known === undefined ? this.exportsOf(to) : known.exports;
  }
}

let running: CommonJs | undefined;

/** Creates the scripts of this child. @throws Error when they were created before */
export function runScripts(...[graph, offered]: ConstructorParameters<typeof CommonJs>): CommonJs {
  if (running !== undefined) throw new Error('the scripts of another process are already running');
  running = new CommonJs(graph, offered);
  return running;
}

/** The exports of a script of this child. */
export const exportsOf = (path: string): unknown => running?.exportsOf(path);

function refused(path: string, message: string): ReinsError {
  return new ReinsError({ code: 'process_import_refused', message, path });
}
