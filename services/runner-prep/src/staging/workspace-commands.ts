import type { Manifest } from '@reins/workspace-tree';

const COMMAND_FILE = /^commands\/([A-Za-z0-9_-]+)\.md$/;
const MAX_COMMANDS = 200;
/** The command ids by manifest, because a tree is used for many stages. */
const cachedIds = new WeakMap<Manifest, readonly string[]>();

/** The ids of the commands of a workspace, `commands/<id>.md`. Commands are texts that the user may refer to. */
export function workspaceCommandIds(manifest: Manifest): readonly string[] {
  const known = cachedIds.get(manifest);
  if (known !== undefined) return known;
  const ids: string[] = [];
  for (const path of manifest.keys()) {
    const id = COMMAND_FILE.exec(path)?.[1];
    if (id !== undefined && ids.length < MAX_COMMANDS) ids.push(id);
  }
  cachedIds.set(manifest, ids);
  return ids;
}
