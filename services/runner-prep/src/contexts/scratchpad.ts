import { type Loaded, SCRATCHPAD, type Scratchpad } from '@reins/runtime-config';
import type { Tree } from '@reins/workspace-tree';

const PREVIEW_CHARS = 1_000;
const MAX_BYTES = 1024 * 1024;

export function hasScratchpad({ manifest }: Tree): boolean {
  const file = manifest.get(SCRATCHPAD);
  return file !== undefined && file.mode !== 'link';
}

export async function loadScratchpad({ manifest, read }: Tree): Promise<Loaded<Scratchpad>> {
  const bytes = manifest.get(SCRATCHPAD)?.size ?? 0;
  const preview = bytes > MAX_BYTES ? null : new TextDecoder().decode(await read(SCRATCHPAD)).slice(0, PREVIEW_CHARS);
  return { status: 'loaded', value: { exists: true, path: SCRATCHPAD, bytes, preview } };
}
