import { dirname, join } from 'node:path';
import { compileFunction, constants } from 'node:vm';
import { ReinsError } from '@reins/contracts';
import type { GraphModule, ModuleGraph } from '../graph/module-graph.ts';

interface Script {
  exports: unknown;
  readonly id: string;
  readonly filename: string;
  loaded: boolean;
}

/**
 * Runs the CommonJS modules of a process. Those that Node.js would run have a way to every module there is (`module.constructor`);
 * these have their exports and what the graph says that they import.
 */
export class CommonJs {
  readonly #graph: ModuleGraph;
  readonly #offered: (name: string) => unknown;
  readonly #scripts = new Map<string, Script>();

  constructor(graph: ModuleGraph, offered: (name: string) => unknown) {
    this.#graph = graph;
    this.#offered = offered;
  }

  /** The source of an ES module that stands for a script, with a name for each of its exports. */
  asModule(path: string, scripts: string): string {
    const exports = this.exportsOf(path);
    const members = typeof exports === 'object' || typeof exports === 'function' ? Object.keys(exports ?? {}) : [];
    const names = members.filter((name) => name !== 'default');
    const lines = names.map(
      (name, i) => `const _${i} = all[${JSON.stringify(name)}]; export { _${i} as ${JSON.stringify(name)} };`,
    );
    return [
      `import { exportsOf } from ${JSON.stringify(scripts)};`,
      `const all = exportsOf(${JSON.stringify(path)}); export default all;`,
      ...lines,
    ].join('\n');
  }

  /** Runs the script, the first time. */
  exportsOf(path: string): unknown {
    const known = this.#scripts.get(path);
    if (known) return known.exports;
    const { code, format, imports } = this.#graph.modules[path] as GraphModule;
    if (format === 'json') return JSON.parse(code);
    if (format === 'module') throw refused(path, 'a script cannot require an ES module; import() it');
    const filename = join(this.#graph.root, path);
    const script: Script = { exports: {}, id: filename, filename, loaded: false };
    this.#scripts.set(path, script);
    try {
      this.#run(script, code, imports);
    } catch (error) {
      this.#scripts.delete(path);
      throw error;
    }
    return script.exports;
  }

  #run(script: Script, code: string, imports: GraphModule['imports']): void {
    const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
    const { filename } = script;
    const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
    const work = compileFunction(code.replace(/^#!/, '//'), parameters, { filename, importModuleDynamically });
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
    const to = typeof name === 'string' && Object.hasOwn(imports, name) ? imports[name] : undefined;
    if (to === undefined)
      throw refused(`${from} → ${String(name)}`, `${String(name)} is none of the modules of this process`);
    if (/^(node|reins):/.test(to)) return this.#offered(to);
    return this.exportsOf(to);
  }
}

function refused(path: string, message: string): ReinsError {
  return new ReinsError({ code: 'process_import_refused', message, path });
}
