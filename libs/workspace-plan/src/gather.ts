import { posix } from 'node:path';
import { isReinsError } from '@reins/contracts';
import { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import { pathProblem } from './compile/paths.ts';
import type { CompileInput } from './compile.ts';
import { isInventoryFile } from './inventory/documents.ts';
import { collectInventoryReferences, collectReferences } from './references.ts';

/** A workspace's files, wherever they are kept. */
export interface WorkspaceFiles {
  /** Every path, relative to the workspace, `/` between its parts. */
  paths(): Iterable<string>;
  /** The text of a file; undefined when there is none. */
  read(path: string): Promise<string | undefined>;
}

/**
 * Reads what compiling a workspace takes: workspace.yaml, or the documents under config/ where there is none, and what they
 * refer to. What is missing is left out, and a path that leads out of the workspace is never read: compiling tells both.
 */
export async function gatherInput(workspaceId: string, files: WorkspaceFiles): Promise<CompileInput> {
  const workspaceYaml = (await files.read(WORKSPACE_FILE)) ?? null;
  if (workspaceYaml !== null) {
    return { workspaceId, workspaceYaml, references: await readAll(files, referencesOf(workspaceYaml)) };
  }
  const documents = await readAll(files, [...files.paths()].filter(isInventoryFile).sort());
  const references = await readAll(files, collectInventoryReferences(documents));
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

/** Texts under the paths by which they were asked for, which need not be written in the shortest way. */
async function readAll(files: WorkspaceFiles, paths: readonly string[]): Promise<Record<string, string>> {
  const safe = paths.filter((path) => pathProblem(path) === undefined);
  const texts = await Promise.all(safe.map(async (path) => [path, await files.read(posix.normalize(path))] as const));
  return Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
}
