import { isReinsError } from '@reins/contracts';
import { type CompileResult, collectReferences, compileWorkspace, WORKSPACE_FILE } from '@reins/workspace-plan';
import type { Tree } from '@reins/workspace-tree';

const decoder = new TextDecoder('utf-8', { fatal: false });

/**
 * Compiles the workspace that lies in a tree: reads workspace.yaml and the files that its plan depends on.
 * @throws ReinsError when the tree cannot be read; what is wrong with the workspace itself is in the result
 */
export async function compileRevision(tree: Tree, workspaceId: string): Promise<CompileResult> {
  const workspaceYaml = (await textOf(tree, WORKSPACE_FILE)) ?? '';
  const texts = await Promise.all(
    referencesOf(workspaceYaml).map(async (path) => [path, await textOf(tree, path)] as const),
  );
  const references = Object.fromEntries(texts.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return compileWorkspace({ workspaceId, workspaceYaml, references });
}

/** A workspace.yaml that cannot be read refers to nothing; the compiler says what is wrong with it. */
function referencesOf(workspaceYaml: string): readonly string[] {
  try {
    return collectReferences(workspaceYaml);
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}

async function textOf(tree: Tree, path: string): Promise<string | undefined> {
  return tree.manifest.has(path) ? decoder.decode(await tree.read(path)) : undefined;
}
