/**
 * A portable reference to the session of an executor: its id, and the tree of its folder. With it, another host can
 * continue the session.
 */
export interface SessionRef {
  readonly nativeId: string;
  readonly treeId: string;
}

const FORMAT = /^(.+)@([0-9a-f]{64})$/;

export const formatSession = ({ nativeId, treeId }: SessionRef): string => `${nativeId}@${treeId}`;

/** Parses a reference. Returns undefined for any other text; the stage then starts a new session. */
export function parseSession(text: string | null | undefined): SessionRef | undefined {
  const [, nativeId, treeId] = FORMAT.exec(text ?? '') ?? [];
  return nativeId !== undefined && treeId !== undefined ? { nativeId, treeId } : undefined;
}
