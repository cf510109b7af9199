import type { JsonObject } from '@reins/contracts';

/** A denied call, with the fields of `runtime.tool.denied`. */
export interface Denial {
  readonly toolId: string;
  readonly callId?: string | undefined;
  readonly policyId: string;
  readonly reason: string;
}

/** A call of a tool that the run has, with valid arguments. */
export interface DecidedCall {
  readonly toolId: string;
  /** The name of the server in the workspace. Absent: the tool is built in. */
  readonly serverId?: string;
  /** Whether the server says that the tool changes nothing. */
  readonly isReadOnly?: boolean;
  readonly args: JsonObject;
  /** The JSON Schema of the arguments. */
  readonly schema?: JsonObject | undefined;
  readonly callId?: string | undefined;
}

/** Why a call is not executed. */
export interface CallRefusal {
  readonly code: 'tool_denied' | 'tool_approval_required';
  readonly policyId: string;
  readonly reason: string;
}

/** The policy of a run. */
export interface CallAuthority {
  /** Returns why a call is refused; undefined when it may be executed. Never throws. */
  refusalOf(call: DecidedCall): CallRefusal | undefined;
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
