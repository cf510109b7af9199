/** A tool of the catalog that could not be loaded, and why. */
export interface UnloadedTool {
  readonly toolId: string;
  readonly reason: string;
}

/** Under this name the sidecar's list of tools carries those that could not be loaded. */
const KEY = 'reins/unloaded';
const MAX_REASON_LENGTH = 400;

/** The `_meta` of a list of tools that lacks these. */
export const unloadedMeta = (tools: readonly UnloadedTool[]): Record<string, unknown> => ({ [KEY]: tools });

/** What the `_meta` of a sidecar's list of tools tells, within bounds: the code of a workspace runs where it was written. */
export function unloadedIn(meta: Readonly<Record<string, unknown>> | undefined): readonly UnloadedTool[] {
  const listed = meta?.[KEY];
  if (!Array.isArray(listed)) return [];
  return listed
    .filter(isUnloaded)
    .map(({ toolId, reason }) => ({ toolId, reason: reason.slice(0, MAX_REASON_LENGTH) }));
}

function isUnloaded(value: unknown): value is UnloadedTool {
  if (typeof value !== 'object' || value === null) return false;
  const { toolId, reason } = value as Partial<Record<keyof UnloadedTool, unknown>>;
  return typeof toolId === 'string' && typeof reason === 'string';
}
