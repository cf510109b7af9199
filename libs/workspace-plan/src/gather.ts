import { posix } from 'node:path';
import { isReinsError } from '@reins/contracts';
import { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import { pathProblem } from './compile/paths.ts';
import type { CompileInput } from './compile.ts';
import { MAX_REFERENCE_LENGTH } from './input-limits.ts';
import { isInventoryFile } from './inventory/documents.ts';
import { collectInventoryReferences, collectReferences } from './references.ts';

/** Read access to the files of a workspace. */
export interface WorkspaceFiles {
  /** All paths, relative to the workspace, with `/` as the separator. */
  paths(): Iterable<string>;
  /** The size of a file in bytes; undefined when the file does not exist. */
  size(path: string): number | undefined;
  /** The text of an existing file. */
  read(path: string): Promise<string>;
}

/** The number of files that are read concurrently. */
const READ_CONCURRENCY = 16;
/** A file with more bytes has more characters than the compiler accepts. */
const MAX_FILE_BYTES = 3 * MAX_REFERENCE_LENGTH;
/** The maximum number of bytes that are read for one compile. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The text of a file that is too large to read. The compiler rejects it because of its length. */
const TOO_LARGE = ' '.repeat(MAX_REFERENCE_LENGTH + 1);

/**
 * Reads the inputs of a compile: workspace.yaml, or else the documents under config/, and the files that they refer to.
 * Missing files are omitted, and paths outside the workspace are never read. The compiler reports both.
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

/** A file that cannot be parsed has no references. The compiler reports the syntax error. */
function referencesOf(workspaceYaml: string): readonly string[] {
  try {
    return collectReferences(workspaceYaml);
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

/** Reads files up to the byte limit. Further files are skipped, because the compiler rejects the workspace anyway. */
class Reader {
  readonly #files: WorkspaceFiles;
  #remainingBytes = MAX_BYTES;

  constructor(files: WorkspaceFiles) {
    this.#files = files;
  }

  async read(path: string): Promise<string | undefined> {
    const size = this.#files.size(path);
    if (size === undefined || this.#remainingBytes === 0) return undefined;
    if (size > MAX_FILE_BYTES || size > this.#remainingBytes) {
      this.#remainingBytes = 0;
      return TOO_LARGE;
    }
    this.#remainingBytes -= size;
    return this.#files.read(path);
  }

  /** Texts by the requested paths, which may be unnormalized. */
  async readAll(paths: readonly string[]): Promise<Record<string, string>> {
    const safe = paths.filter((path) => pathProblem(path) === undefined);
    const texts: [string, string][] = [];
    for (let i = 0; i < safe.length; i += READ_CONCURRENCY) {
      const some = safe.slice(i, i + READ_CONCURRENCY);
      const read = await Promise.all(some.map(async (path) => [path, await this.read(posix.normalize(path))] as const));
      texts.push(...read.filter((pair): pair is [string, string] => pair[1] !== undefined));
    }
    return Object.fromEntries(texts);
  }
}
