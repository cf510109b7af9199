import { realpathSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A function of a workspace that is a tool. What it says of itself is optional. */
export interface ToolFunction {
  (args: unknown, context: { readonly signal: AbortSignal; readonly workspaceDir: string }): unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly annotations?: unknown;
}

const MODULE_PATH = /^tools(\.[A-Za-z_$][A-Za-z0-9_$-]*)+$/;
const ENDINGS = ['.mjs', '.js', '.cjs', '.ts', '.mts'];
const require = createRequire(import.meta.url);

/**
 * The modules of a workspace's tools. A file that changed since it was read is read again at the next call, with everything that
 * imports it: the generation stands in the address of each module, and an address is loaded once.
 */
export class ToolModules {
  readonly #root: string;
  readonly #read = new Map<string, string>();
  #generation = 0;

  constructor(workspaceDir: string) {
    this.#root = realpathSync(workspaceDir);
    const inside = pathToFileURL(`${this.#root}${sep}`).href;
    registerHooks({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        const [address = ''] = resolved.url.split('?');
        if (!address.startsWith(inside) || address.includes('/node_modules/')) return resolved;
        const path = fileURLToPath(address);
        this.#read.set(path, this.#read.get(path) ?? stateOf(path));
        // What is required keeps its plain address: its cache is emptied instead.
        if (!context.conditions?.includes('import')) return resolved;
        return { ...resolved, url: `${address}?generation=${this.#generation}` };
      },
    });
  }

  /** @throws Error that says what is wrong with the module or the symbol */
  async load(modulePath: string, symbol: string): Promise<ToolFunction> {
    const file = this.#fileOf(modulePath);
    this.#refresh();
    const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    const found = module[symbol] ?? (module.default as Record<string, unknown> | undefined)?.[symbol];
    if (typeof found !== 'function') throw new Error(`${modulePath} exports no function '${symbol}'`);
    if (/^class\b/.test(Function.prototype.toString.call(found)))
      throw new Error(`'${symbol}' of ${modulePath} is a class; a tool is a function`);
    return found as ToolFunction;
  }

  #refresh(): void {
    const changed = [...this.#read].some(([path, state]) => stateOf(path) !== state);
    if (!changed) return;
    this.#generation += 1;
    for (const path of this.#read.keys()) delete require.cache[path];
    this.#read.clear();
  }

  #fileOf(modulePath: string): string {
    if (!MODULE_PATH.test(modulePath))
      throw new Error(`'${modulePath}' is no path of a tool module: names with dots between them, the first 'tools'`);
    const base = join(this.#root, ...modulePath.split('.'));
    const candidates = [
      ...ENDINGS.map((ending) => base + ending),
      ...ENDINGS.map((ending) => join(base, `index${ending}`)),
    ];
    const file = candidates.find((path) => stateOf(path) !== 'gone');
    if (file === undefined) {
      const python = stateOf(`${base}.py`) !== 'gone' ? '; tools in Python are not supported' : '';
      throw new Error(`there is no module ${modulePath} in JavaScript or TypeScript${python}`);
    }
    if (!realpathSync(file).startsWith(`${this.#root}${sep}`))
      throw new Error(`${modulePath} leads out of the workspace`);
    return realpathSync(file);
  }
}

function stateOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.mtimeMs}-${stat.size}-${stat.ino}` : 'gone';
}
