/** A tool of the catalog that could not be loaded, and why. */
export interface ToolLoadFailure {
  readonly toolId: string;
  readonly reason: string;
}

/** The key in the `_meta` of the sidecar's list of tools. */
const KEY = 'reins/unloaded';
const MAX_REASON_LENGTH = 400;

/** The `_meta` of a list of tools, with the tools that could not be loaded. */
export const loadFailuresMeta = (tools: readonly ToolLoadFailure[]): Record<string, unknown> => ({ [KEY]: tools });

/** Reads the `_meta` of a sidecar's list of tools. Workspace code can change it, so it is validated. */
export function readLoadFailures(meta: Readonly<Record<string, unknown>> | undefined): readonly ToolLoadFailure[] {
  const listed = meta?.[KEY];
  if (!Array.isArray(listed)) return [];
  return listed
    .filter(isLoadFailure)
    .map(({ toolId, reason }) => ({ toolId, reason: reason.slice(0, MAX_REASON_LENGTH) }));
}

function isLoadFailure(value: unknown): value is ToolLoadFailure {
  if (typeof value !== 'object' || value === null) return false;
  const { toolId, reason } = value as Partial<Record<keyof ToolLoadFailure, unknown>>;
  return typeof toolId === 'string' && typeof reason === 'string';
}
