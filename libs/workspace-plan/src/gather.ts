import { posix } from 'node:path';
import { isReinsError } from '@reins/contracts';
import { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import { pathProblem } from './compile/paths.ts';
import type { CompileInput } from './compile.ts';
import { MAX_REFERENCE_LENGTH } from './input-limits.ts';
import { isInventoryFile } from './inventory/documents.ts';
import { collectInventoryReferences, collectReferences } from './references.ts';

/** A workspace's files, wherever they are kept. */
export interface WorkspaceFiles {
  /** Every path, relative to the workspace, `/` between its parts. */
  paths(): Iterable<string>;
  /** How many bytes a file has; undefined when there is none. */
  size(path: string): number | undefined;
  /** The text of a file that is there. */
  read(path: string): Promise<string>;
}

/** Files read at once. */
const READ_AT_ONCE = 16;
/** Bytes of one file beyond which it has more characters than compiling admits, whatever they are. */
const MAX_FILE_BYTES = 3 * MAX_REFERENCE_LENGTH;
/** Bytes of all files that are read for one compile. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Stands for a file that is too large to be read: compiling refuses it by its length alone. */
const TOO_LARGE = ' '.repeat(MAX_REFERENCE_LENGTH + 1);

/**
 * Reads what compiling a workspace takes: workspace.yaml, or the documents under config/ where there is none, and what they
 * refer to. What is missing is left out, and a path that leads out of the workspace is never read: compiling tells both.
 */
export async function gatherInput(workspaceId: string, files: WorkspaceFiles): Promise<CompileInput> {
  const reader = new Reader(files);
  const workspaceYaml = (await reader.read(WORKSPACE_FILE)) ?? null;
  if (workspaceYaml !== null) {
    return { workspaceId, workspaceYaml, references: await reader.readAll(referencesOf(workspaceYaml)) };
  }
  const documents = await reader.readAll([...files.paths()].filter(isInventoryFile).sort());
  const references = await reader.readAll(collectInventoryReferences(documents));
  return { workspaceId, workspaceYaml, references, files: documents };
}

/** A file that cannot be read refers to nothing; compiling says what is wrong with it. */
function referencesOf(workspaceYaml: string): readonly string[] {
  try {
    return collectReferences(workspaceYaml);
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

/** Reads files as long as there are not too many bytes of them: then the rest is left, since compiling refuses the workspace anyway. */
class Reader {
  readonly #files: WorkspaceFiles;
  #left = MAX_BYTES;

  constructor(files: WorkspaceFiles) {
    this.#files = files;
  }

  async read(path: string): Promise<string | undefined> {
    const size = this.#files.size(path);
    if (size === undefined || this.#left === 0) return undefined;
    if (size > MAX_FILE_BYTES || size > this.#left) {
      this.#left = 0;
      return TOO_LARGE;
    }
    this.#left -= size;
    return this.#files.read(path);
  }

  /** Texts under the paths by which they were asked for, which need not be written in the shortest way. */
  async readAll(paths: readonly string[]): Promise<Record<string, string>> {
    const safe = paths.filter((path) => pathProblem(path) === undefined);
    const texts: [string, string][] = [];
    for (let i = 0; i < safe.length; i += READ_AT_ONCE) {
      const some = safe.slice(i, i + READ_AT_ONCE);
      const read = await Promise.all(some.map(async (path) => [path, await this.read(posix.normalize(path))] as const));
      texts.push(...read.filter((pair): pair is [string, string] => pair[1] !== undefined));
    }
    return Object.fromEntries(texts);
  }
}
