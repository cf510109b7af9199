import { type CompileResult, compileWorkspace, gatherInput } from '@reins/workspace-plan';
import type { Tree } from '@reins/workspace-tree';

const decoder = new TextDecoder();

/**
 * Compiles the workspace that lies in a tree.
 * @throws ReinsError when the tree cannot be read; what is wrong with the workspace itself is in the result
 */
export async function compileRevision({ manifest, read }: Tree, workspaceId: string): Promise<CompileResult> {
  const files = {
    paths: () => manifest.keys(),
    size: (path: string) => manifest.get(path)?.size,
    read: async (path: string) => decoder.decode(await read(path)),
  };
  return compileWorkspace(await gatherInput(workspaceId, files));
}
