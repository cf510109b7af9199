/** A call that may not be made, in the words of `runtime.tool.denied`. */
export interface Denial {
  readonly toolId: string;
  readonly policyId: string;
  readonly reason: string;
}

/** Whether a tool is one of those that a person has to approve: its id, or `server.*` for all of a server. */
export function isGatedTool(toolId: string, gatedTools: readonly string[]): boolean {
  return gatedTools.some((pattern) =>
    pattern.endsWith('.*') ? toolId.startsWith(pattern.slice(0, -1)) : pattern === toolId,
  );
}

/** The gates of a run: what has to be approved, and what of it the user opened. */
export interface Gates {
  readonly gated_tools: readonly string[];
  readonly granted_tools: readonly string[];
}

/** The denial of a call that needs an approval which nobody gave; undefined when it needs none. */
export function denialOf(toolId: string, gates: Gates): Denial | undefined {
  if (!isGatedTool(toolId, gates.gated_tools) || gates.granted_tools.includes(toolId)) return undefined;
  const reason = `'${toolId}' needs the approval of a person before each call, and there is none`;
  return { toolId, policyId: 'gated_tools', reason };
}
