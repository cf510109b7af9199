import type { Manifest } from '@reins/workspace-tree';

const COMMAND_FILE = /^commands\/([A-Za-z0-9_-]+)\.md$/;
const MAX_COMMANDS = 200;
/** A tree is asked for many stages. */
const found = new WeakMap<Manifest, readonly string[]>();

/** The commands of a workspace, `commands/<id>.md`, by id. They are texts that the user may refer to. */
export function workspaceCommandIds(manifest: Manifest): readonly string[] {
  const known = found.get(manifest);
  if (known !== undefined) return known;
  const ids: string[] = [];
  for (const path of manifest.keys()) {
    const id = COMMAND_FILE.exec(path)?.[1];
    if (id !== undefined && ids.length < MAX_COMMANDS) ids.push(id);
  }
  found.set(manifest, ids);
  return ids;
}
