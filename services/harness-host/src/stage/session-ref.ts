/**
 * A session of an executor as it travels: its own id, and the tree that its folder was captured as. So it can go on at another host,
 * which has neither.
 */
export interface SessionRef {
  readonly nativeId: string;
  readonly treeId: string;
}

const FORM = /^(.+)@([0-9a-f]{64})$/;

export const formatSession = ({ nativeId, treeId }: SessionRef): string => `${nativeId}@${treeId}`;

/** Undefined for what is no session of ours: a stage then begins a new one. */
export function parseSession(text: string | null | undefined): SessionRef | undefined {
  const [, nativeId, treeId] = FORM.exec(text ?? '') ?? [];
  return nativeId !== undefined && treeId !== undefined ? { nativeId, treeId } : undefined;
}
