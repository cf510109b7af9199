import { realpathSync, statSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { errorExcerpt, type HostPaths } from '../errors/error-excerpt.ts';

/** A workspace function that is a tool. Its properties are optional metadata. */
export interface ToolFunction {
  (args: unknown, context: { readonly signal: AbortSignal; readonly workspaceDir: string }): unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly annotations?: unknown;
}

const MODULE_PATH = /^tools(\.[A-Za-z_$][A-Za-z0-9_$-]*)+$/;
const EXTENSIONS = ['.mjs', '.js', '.cjs', '.ts', '.mts'];
/** The generation number in the URL of a module. */
export const GENERATION = /\?generation=\d+/g;
const require = createRequire(import.meta.url);

/**
 * The modules of a workspace's tools. After a file changes, the next call reloads it and everything that imports it.
 * Node.js loads a URL only once, so each module URL contains a generation number.
 */
export class ToolModules {
  readonly #root: string;
  readonly #folders: HostPaths;
  readonly #fingerprints = new Map<string, string>();
  #generation = 0;

  constructor(workspaceDir: string, homeDir: string) {
    this.#root = realpathSync(workspaceDir);
    this.#folders = { trees: [workspaceDir], homeDir };
    const inside = pathToFileURL(`${this.#root}${sep}`).href;
    registerHooks({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        const [address = ''] = resolved.url.split('?');
        if (!address.startsWith(inside) || address.includes('/node_modules/')) return resolved;
        const path = fileURLToPath(address);
        this.#fingerprints.set(path, this.#fingerprints.get(path) ?? fingerprintOf(path));
        // CommonJS modules keep their plain URL; their cache is cleared instead.
        if (!context.conditions?.includes('import')) return resolved;
        return { ...resolved, url: `${address}?generation=${this.#generation}` };
      },
    });
  }

  /** @throws Error when the module does not load or has no such function */
  async load(modulePath: string, symbol: string): Promise<ToolFunction> {
    const file = this.#fileOf(modulePath);
    this.#refresh();
    const module = await this.#import(file);
    const path = relative(this.#root, file);
    const found = module[symbol] ?? (module.default as Record<string, unknown> | undefined)?.[symbol];
    if (found === undefined) throw new Error(`${path} has no export ${symbol}`);
    if (typeof found !== 'function') throw new Error(`${symbol} of ${path} is not a function`);
    if (/^class\b/.test(Function.prototype.toString.call(found)))
      throw new Error(`${symbol} of ${path} must be a function (got a class)`);
    return found as ToolFunction;
  }

  async #import(file: string): Promise<Record<string, unknown>> {
    try {
      return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
    } catch (error) {
      const stack = String(error instanceof Error ? error.stack : error).replaceAll(GENERATION, '');
      const path = relative(this.#root, file);
      throw new Error(`${path} does not load: ${errorExcerpt(stack, this.#folders)}`, { cause: error });
    }
  }

  #refresh(): void {
    const changed = [...this.#fingerprints].some(([path, fingerprint]) => fingerprintOf(path) !== fingerprint);
    if (!changed) return;
    this.#generation += 1;
    for (const path of this.#fingerprints.keys()) delete require.cache[path];
    this.#fingerprints.clear();
  }

  #fileOf(modulePath: string): string {
    if (!MODULE_PATH.test(modulePath))
      throw new Error(`'${modulePath}' is not a valid module path: expected 'tools.' and names separated by dots`);
    const base = join(this.#root, ...modulePath.split('.'));
    const candidates = [
      ...EXTENSIONS.map((extension) => base + extension),
      ...EXTENSIONS.map((extension) => join(base, `index${extension}`)),
    ];
    const file = candidates.find((path) => fingerprintOf(path) !== 'missing');
    if (file === undefined) {
      const path = relative(this.#root, base);
      const python = fingerprintOf(`${base}.py`) !== 'missing' ? `; ${path}.py is Python, which is not supported` : '';
      throw new Error(`there is no ${path}.{mjs,js,cjs,ts,mts} and no ${path}/index.*${python}`);
    }
    if (!realpathSync(file).startsWith(`${this.#root}${sep}`))
      throw new Error(`${modulePath} is outside the workspace`);
    return realpathSync(file);
  }
}

function fingerprintOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.mtimeMs}-${stat.size}-${stat.ino}` : 'missing';
}
