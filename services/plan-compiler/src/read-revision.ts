import { type CompileInput, gatherInput } from '@reins/workspace-plan';
import { followLinks, type Tree } from '@reins/workspace-tree';

const decoder = new TextDecoder();

/**
 * Reads what the plan of a workspace depends on out of its tree; files that are too large are not read.
 * @throws ReinsError when the tree cannot be read; what is wrong with the workspace itself, compiling tells
 */
export async function readRevision(tree: Tree, workspaceId: string): Promise<CompileInput> {
  const { manifest, read } = await followLinks(tree);
  return gatherInput(workspaceId, {
    paths: () => manifest.keys(),
    size: (path) => manifest.get(path)?.size,
    read: async (path) => decoder.decode(await read(path)),
  });
}
