import { type CompileInput, gatherInput } from '@reins/workspace-plan';
import { followLinks, type Tree } from '@reins/workspace-tree';

const decoder = new TextDecoder();

/**
 * Reads the inputs of a plan from the tree of a workspace revision. Files that are too large are not read.
 * @throws ReinsError when the tree cannot be read; problems of the workspace itself are reported by the compiler
 */
export async function readRevision(tree: Tree, workspaceId: string): Promise<CompileInput> {
  const { manifest, read } = await followLinks(tree);
  return gatherInput(workspaceId, {
    paths: () => manifest.keys(),
    size: (path) => manifest.get(path)?.size,
    read: async (path) => decoder.decode(await read(path)),
  });
}
