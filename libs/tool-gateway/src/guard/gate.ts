/** A denied call, with the fields of `runtime.tool.denied`. */
export interface Denial {
  readonly toolId: string;
  readonly policyId: string;
  readonly reason: string;
}

/** Whether a tool requires approval: by its id, or by `server.*` for all tools of a server. */
function isGatedTool(toolId: string, gatedTools: readonly string[]): boolean {
  return gatedTools.some((pattern) =>
    pattern.endsWith('.*') ? toolId.startsWith(pattern.slice(0, -1)) : pattern === toolId,
  );
}

/** The gates of a run: the tools that require approval, and those that the user approved in advance. */
export interface Gates {
  readonly gated_tools: readonly string[];
  readonly granted_tools: readonly string[];
}

/** Whether a call requires an approval that was not given. */
export const isUnapproved = (toolId: string, { gated_tools, granted_tools }: Gates): boolean =>
  isGatedTool(toolId, gated_tools) && !granted_tools.includes(toolId);
