/** A denied call, with the fields of `runtime.tool.denied`. */
export interface Denial {
  readonly toolId: string;
  readonly policyId: string;
  readonly reason: string;
}

/** Whether a tool requires approval: by its id, or by `server.*` for all tools of a server. */
export function isGatedTool(toolId: string, gatedTools: readonly string[]): boolean {
  return gatedTools.some((pattern) =>
    pattern.endsWith('.*') ? toolId.startsWith(pattern.slice(0, -1)) : pattern === toolId,
  );
}

/** The gates of a run: the tools that require approval, and those that the user approved in advance. */
export interface Gates {
  readonly gated_tools: readonly string[];
  readonly granted_tools: readonly string[];
}

/** The denial of a call that requires an approval; undefined when the call is allowed. */
export function denialOf(toolId: string, gates: Gates): Denial | undefined {
  if (!isGatedTool(toolId, gates.gated_tools) || gates.granted_tools.includes(toolId)) return undefined;
  const reason = `'${toolId}' requires approval before each call, and none was given`;
  return { toolId, policyId: 'gated_tools', reason };
}
