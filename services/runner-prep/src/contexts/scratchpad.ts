import type { Loaded, Scratchpad } from '@reins/runtime-config';
import type { Tree } from '@reins/workspace-tree';

/** Notes that an agent keeps for itself. The tree of a session goes on from request to request, and these with it. */
export const SCRATCHPAD = '.reins/scratchpad.md';
const PREVIEW_CHARS = 1_000;
const MAX_BYTES = 1024 * 1024;

export async function loadScratchpad(tree: () => Promise<Tree>): Promise<Loaded<Scratchpad>> {
  const opened = await tree();
  const file = opened.manifest.get(SCRATCHPAD);
  if (file === undefined || file.mode === 'link') return { status: 'empty' };
  const preview =
    file.size > MAX_BYTES ? null : new TextDecoder().decode(await opened.read(SCRATCHPAD)).slice(0, PREVIEW_CHARS);
  return { status: 'loaded', value: { exists: true, path: SCRATCHPAD, bytes: file.size, preview } };
}
