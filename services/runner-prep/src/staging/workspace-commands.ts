import { leadingSlashWords, type WorkspaceCommand } from '@reins/runtime-config';
import type { Manifest, Tree } from '@reins/workspace-tree';

const COMMAND_FILE = /^commands\/([A-Za-z0-9_-]+)\.md$/;
const MAX_COMMANDS = 200;
const MAX_COMMAND_BYTES = 256 * 1024;
/** The command ids by manifest, because a tree is used for many stages. */
const cachedIds = new WeakMap<Manifest, readonly string[]>();

/** The ids of the commands of a workspace, `commands/<id>.md`. A larger file is no command. */
export function workspaceCommandIds(manifest: Manifest): readonly string[] {
  const known = cachedIds.get(manifest);
  if (known !== undefined) return known;
  const ids: string[] = [];
  for (const [path, { size }] of manifest) {
    if (size > MAX_COMMAND_BYTES) continue;
    const id = COMMAND_FILE.exec(path)?.[1];
    if (id !== undefined && ids.length < MAX_COMMANDS) ids.push(id);
  }
  cachedIds.set(manifest, ids);
  return ids;
}

/** Reads the commands that an instruction starts with. */
export async function invokedCommands(instruction: string, { manifest, read }: Tree): Promise<WorkspaceCommand[]> {
  const named = new Set(leadingSlashWords(instruction).map((word) => word.toLowerCase()));
  const ids = workspaceCommandIds(manifest).filter((id) => named.has(id.toLowerCase()));
  return Promise.all(
    ids.map(async (id) => {
      const location = `commands/${id}.md`;
      return { id, location, text: new TextDecoder().decode(await read(location)) };
    }),
  );
}
