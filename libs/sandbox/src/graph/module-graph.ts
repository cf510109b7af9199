import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isObject, isReinsError, type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { type CodeModule, type ProcessCode, processManifest, sha256Of } from '@reins/journal';
import { ModuleParser } from './module-parser.ts';
import type { ModuleFormat, NamedImport } from './parse-module.ts';
import { misplacement, readPlaced } from './placed-file.ts';
import { manifestsOf, resolveImport } from './resolve-import.ts';

/** The entry module of a process. */
export interface ModuleEntry {
  /** The folder that holds all code of the process. */
  readonly root: string;
  /** The path of the module in that folder. */
  readonly path: string;
}

/** One module of a process, with the content that was read. */
export interface GraphModule {
  readonly format: ModuleFormat;
  /** JavaScript or JSON. */
  readonly code: string;
  /** The target of each specifier: the path of a module, or a module of the sandbox (`node:…`, `reins:…`). */
  readonly imports: Readonly<Record<string, string>>;
}

/** All code of a process, as it was read. The child runs this code, even if the files change later. */
export interface ModuleGraph {
  readonly root: string;
  readonly entry: string;
  /** By path relative to the root, with `/`. */
  readonly modules: Readonly<Record<string, GraphModule>>;
  /** The identity of the code: SHA-256 (hex) over the paths and contents of all modules. */
  readonly hash: string;
}

const MAX_MODULES = 5000;
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_MANIFEST_BYTES = 1024 * 1024;

/**
 * Reads a module and everything that it imports, by parsing only: no code runs.
 * @throws ReinsError `process_not_found` · `process_import_refused` (a path outside of the root, a symbolic link, a
 *   module that processes may not use) · `process_invalid` (syntax); all problems in one error
 */
export async function readModuleGraph(entry: ModuleEntry): Promise<ModuleGraph> {
  return (await readProcess(entry)).graph;
}

/** The code of a process: the graph that runs, and the files that can be stored. */
export interface ReadProcess {
  readonly graph: ModuleGraph;
  readonly code: ProcessCode;
}

/** Like `readModuleGraph`, and also returns the original files. @throws as `readModuleGraph` */
export async function readProcess({ root, path }: ModuleEntry): Promise<ReadProcess> {
  const realRoot = await realpath(root).catch(() => {
    throw notFound(path, `there is no folder ${root}`);
  });
  // The permission model of Node.js would interpret it as a wildcard.
  if (realRoot.includes('*'))
    throw new ReinsError(refusal(path, `the path ${realRoot} of the process folder contains a *`));
  const entry = resolve(realRoot, path);
  const misplaced = await misplacement(realRoot, entry);
  if (misplaced === 'missing') throw notFound(path, 'the module does not exist');
  if (misplaced) throw new ReinsError(refusal(path, misplaced));
  return new GraphWalk(realRoot).walk(entry);
}

class GraphWalk {
  readonly #root: string;
  readonly #modules: Record<string, GraphModule> = {};
  readonly #contents = new Map<string, Buffer>();
  readonly #hashes: Record<string, string> = {};
  readonly #types = new Map<string, Promise<'module' | 'commonjs' | undefined>>();
  readonly #manifests = new Map<string, Promise<Buffer | undefined>>();
  readonly #parser = new ModuleParser();
  readonly #problems: Problem[] = [];
  readonly #open: string[] = [];
  readonly #seen = new Set<string>();
  #bytes = 0;

  constructor(root: string) {
    this.#root = root;
  }

  async walk(file: string): Promise<ReadProcess> {
    this.#visit(file);
    try {
      await this.#readAll();
    } finally {
      await this.#parser.close();
    }
    if (this.#problems.length > 0) throw new ReinsError(this.#problems);
    const entry = this.#name(file);
    const manifest = processManifest(entry, this.#listed());
    const graph = { root: this.#root, entry, modules: this.#modules, hash: manifest.codeHash };
    return { graph, code: { manifest, contents: this.#contents } };
  }

  #listed(): Record<string, CodeModule> {
    const modules = Object.entries(this.#modules).map(([path, { format, imports }]): [string, CodeModule] => [
      path,
      { sha256: this.#hashes[path] ?? '', format, imports },
    ]);
    return Object.fromEntries(modules);
  }

  async #readAll(): Promise<void> {
    for (let file = this.#open.pop(); file !== undefined; file = this.#open.pop()) await this.#read(file);
  }

  #visit(file: string): void {
    if (this.#seen.has(file)) return;
    this.#seen.add(file);
    this.#open.push(file);
  }

  async #read(file: string): Promise<void> {
    const name = this.#name(file);
    const read = await readPlaced(this.#root, file, MAX_BYTES - this.#bytes);
    if ('reason' in read)
      throw new ReinsError(refusal(name, read.reason === 'missing' ? 'it does not exist' : read.reason));
    const { bytes } = read;
    this.#bytes += bytes.length;
    if (this.#seen.size > MAX_MODULES)
      throw new ReinsError(refusal(name, `a process has at most ${MAX_MODULES} modules`));
    const sha256 = sha256Of(bytes);
    this.#hashes[name] = sha256;
    this.#contents.set(sha256, bytes);
    try {
      const type = await this.#typeOf(dirname(file));
      const { imports, ...module } = await this.#parser.parse({ path: file, source: bytes.toString('utf8'), type });
      this.#modules[name] = { ...module, imports: await this.#resolved(file, imports) };
    } catch (error) {
      if (isReinsError(error)) {
        this.#problems.push(...error.problems);
        return;
      }
      if (!(error instanceof Error)) throw error;
      this.#problems.push({ code: 'process_invalid', message: error.message, path: name });
    }
  }

  async #resolved(file: string, imports: readonly NamedImport[]): Promise<Record<string, string>> {
    const found: Record<string, string> = {};
    for (const each of imports) {
      const to = resolveImport(each, file, await this.#manifestsFor(each, file));
      if ('own' in to) found[each.specifier] = to.own;
      else {
        const problem = 'problem' in to ? to.problem : await this.#misplaced(to.file);
        if ('file' in to && !problem) {
          this.#visit(to.file);
          found[each.specifier] = this.#name(to.file);
        } else if (problem && each.by === 'static') {
          // A dynamic import is refused when it runs.
          this.#problems.push({ ...problem, path: `${this.#name(file)} → ${each.specifier}` });
        }
      }
    }
    return found;
  }

  /**
   * Reads the manifests that decide an import once, after checking what they are. An internal import may refer to
   * another package.
   */
  async #manifestsFor({ specifier }: NamedImport, file: string): Promise<(folder: string) => JsonObject | undefined> {
    const found = new Map<string, JsonObject>();
    const read = async (name: string) => {
      for (const path of manifestsOf(name, file, this.#root)) {
        const manifest = manifestIn(await this.#manifest(path));
        if (manifest) found.set(dirname(path), manifest);
      }
    };
    await read(specifier);
    if (specifier.startsWith('#'))
      for (const name of [...found.values()].flatMap(({ imports }) => textsIn(imports))) await read(name);
    return (folder) => found.get(folder);
  }

  async #misplaced(file: string): Promise<Problem | undefined> {
    const reason = await misplacement(this.#root, file);
    return reason === undefined
      ? undefined
      : refusal(this.#name(file), reason === 'missing' ? 'it does not exist' : reason);
  }

  /** The type of `.js` files according to the nearest package.json. */
  #typeOf(folder: string): Promise<'module' | 'commonjs' | undefined> {
    let type = this.#types.get(folder);
    if (!type) {
      type = this.#readType(folder);
      this.#types.set(folder, type);
    }
    return type;
  }

  async #readType(folder: string): Promise<'module' | 'commonjs' | undefined> {
    const file = join(folder, 'package.json');
    const bytes = await this.#manifest(file);
    if (bytes === undefined) return folder === this.#root ? undefined : this.#typeOf(dirname(folder));
    const manifest = manifestIn(bytes);
    if (!manifest) throw new ReinsError(notJson(this.#name(file)));
    const { type } = manifest;
    if (type === 'module' || type === 'commonjs') return type;
    // Packages from a registry default to CommonJS; the type of the author's own files follows from their syntax.
    return folder.includes(`${sep}node_modules${sep}`) ? 'commonjs' : undefined;
  }

  /**
   * Reads a package.json. Undefined when there is none. @throws ReinsError `process_import_refused` if it is not a
   * regular file of the process
   */
  #manifest(file: string): Promise<Buffer | undefined> {
    let bytes = this.#manifests.get(file);
    if (!bytes) {
      bytes = this.#readManifest(file);
      this.#manifests.set(file, bytes);
    }
    return bytes;
  }

  async #readManifest(file: string): Promise<Buffer | undefined> {
    const read = await readPlaced(this.#root, file, MAX_MANIFEST_BYTES);
    if ('bytes' in read) return read.bytes;
    if (read.reason === 'missing' && !existsSync(file)) return undefined;
    throw new ReinsError(refusal(this.#name(file), read.reason === 'missing' ? 'it is not a file' : read.reason));
  }

  #name(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }
}

/** Undefined if it is not a JSON object. The parser's error would quote the content of the file. */
function manifestIn(bytes: Buffer | undefined): JsonObject | undefined {
  try {
    const manifest: unknown = bytes && JSON.parse(bytes.toString('utf8'));
    return isObject(manifest) ? (manifest as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** All strings in a value, at any depth. */
function textsIn(value: JsonValue | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const notJson = (path: string): Problem => ({
  code: 'process_invalid',
  message: `${path} is not a JSON object`,
  path,
});

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
