import { createHash } from 'node:crypto';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Problem, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import { type ModuleFormat, type NamedImport, parseModule } from './parse-module.ts';
import { resolveImport } from './resolve-import.ts';

/** The first module of a process. */
export interface ModuleEntry {
  /** The folder that holds all code of the process. */
  readonly root: string;
  /** The module, as a path in that folder. */
  readonly path: string;
}

/** One module of a process, as it was read. */
export interface GraphModule {
  readonly format: ModuleFormat;
  /** As JavaScript or JSON. */
  readonly code: string;
  /** Its specifiers and their targets: the path of a module, or a module of the sandbox (`node:…`, `reins:…`). */
  readonly imports: Readonly<Record<string, string>>;
}

/** All code of a process, as it was read. The child runs this, whatever the files hold later. */
export interface ModuleGraph {
  readonly root: string;
  readonly entry: string;
  /** By their path in the root, with `/`. */
  readonly modules: Readonly<Record<string, GraphModule>>;
  /** SHA-256 (hex) over the paths and the contents of all modules: the code's identity. */
  readonly hash: string;
}

const MAX_MODULES = 5000;
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads a module and all that it imports, by syntax alone: nothing runs.
 * @throws ReinsError `process_not_found` · `process_import_refused` (a path outside of the root, a symbolic link, a module that
 *   processes do not have) · `process_invalid` (syntax); all problems in one error
 */
export async function readModuleGraph({ root, path }: ModuleEntry): Promise<ModuleGraph> {
  const realRoot = await realpath(root).catch(() => {
    throw notFound(path, `there is no folder ${root}`);
  });
  const entry = resolve(realRoot, path);
  const misplaced = await misplacement(realRoot, entry);
  if (misplaced === 'missing') throw notFound(path, 'the module does not exist');
  if (misplaced) throw new ReinsError(refusal(path, misplaced));
  return new GraphWalk(realRoot).walk(entry);
}

/** The identity of a process's code: SHA-256 over the sorted paths and contents of its modules. @throws as `readModuleGraph` */
export async function moduleGraphHash(entry: ModuleEntry): Promise<string> {
  return (await readModuleGraph(entry)).hash;
}

class GraphWalk {
  readonly #root: string;
  readonly #modules: Record<string, GraphModule> = {};
  readonly #hashes: Record<string, string> = {};
  readonly #types = new Map<string, Promise<'module' | 'commonjs' | undefined>>();
  readonly #problems: Problem[] = [];
  readonly #open: string[] = [];
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async walk(entry: string): Promise<ModuleGraph> {
    this.#visit(entry);
    for (let file = this.#open.pop(); file !== undefined; file = this.#open.pop()) await this.#read(file);
    if (this.#problems.length > 0) throw new ReinsError(this.#problems);
    return { root: this.#root, entry: this.#name(entry), modules: this.#modules, hash: hashJson(this.#hashes) };
  }

  #visit(file: string): void {
    if (this.#seen.has(file)) return;
    this.#seen.add(file);
    this.#open.push(file);
  }

  async #read(file: string): Promise<void> {
    const bytes = await readFile(file);
    this.#bytes += bytes.length;
    if (this.#bytes > MAX_BYTES || this.#seen.size > MAX_MODULES)
      throw new ReinsError(
        refusal(this.#name(file), `a process has at most ${MAX_MODULES} modules of ${MAX_BYTES} bytes`),
      );
    const name = this.#name(file);
    this.#hashes[name] = createHash('sha256').update(bytes).digest('hex');
    try {
      const { imports, ...module } = parseModule(file, bytes.toString('utf8'), await this.#typeOf(dirname(file)));
      this.#modules[name] = { ...module, imports: await this.#resolved(file, imports) };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      this.#problems.push({ code: 'process_invalid', message: error.message, path: name });
    }
  }

  async #resolved(file: string, imports: readonly NamedImport[]): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const each of imports) {
      const to = resolveImport(each, file);
      if ('own' in to) found[each.specifier] = to.own;
      else {
        const problem = 'problem' in to ? to.problem : await this.#misplaced(to.file);
        if ('file' in to && !problem) {
          this.#visit(to.file);
          found[each.specifier] = this.#name(to.file);
        } else if (problem && each.by === 'static') {
          // An import that runs later is refused when it runs.
          this.#problems.push({ ...problem, path: `${this.#name(file)} → ${each.specifier}` });
        }
      }
    }
    return found;
  }

  async #misplaced(file: string): Promise<Problem | undefined> {
    const wrong = await misplacement(this.#root, file);
    return wrong === undefined
      ? undefined
      : refusal(this.#name(file), wrong === 'missing' ? 'it does not exist' : wrong);
  }

  /** The type of `.js` files by the nearest package.json. */
  #typeOf(folder: string): Promise<'module' | 'commonjs' | undefined> {
    let type = this.#types.get(folder);
    if (!type) {
      type = this.#readType(folder);
      this.#types.set(folder, type);
    }
    return type;
  }

  async #readType(folder: string): Promise<'module' | 'commonjs' | undefined> {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => undefined);
    if (text === undefined) return folder === this.#root ? undefined : this.#typeOf(dirname(folder));
    const { type } = JSON.parse(text) as { type?: unknown };
    if (type === 'module' || type === 'commonjs') return type;
    // Packages from a registry are CommonJS unless they say otherwise; the author's own files say it by their syntax.
    return folder.includes(`${sep}node_modules${sep}`) ? 'commonjs' : undefined;
  }

  #name(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }
}

/** Why a file does not belong to the process; undefined when it does. */
async function misplacement(root: string, file: string): Promise<string | undefined> {
  const inner = relative(root, file);
  if (inner === '' || inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner))
    return 'it is not in the folder of the process';
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isFile()) return 'missing';
  return real === file ? undefined : 'a symbolic link leads to it';
}

function refusal(path: string, message: string): Problem {
  return { code: 'process_import_refused', message, path };
}

function notFound(path: string, message: string): ReinsError {
  return new ReinsError({
    code: 'process_not_found',
    message,
    path,
    hint: 'Name a process by its module and its export: process/main.ts#process.',
  });
}
