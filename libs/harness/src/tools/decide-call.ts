/** What a run may call. */
export interface CallPolicy {
  /** Whether the capability surface of the run has the tool. */
  has(tool: string): boolean;
  /** Whether each call of the tool needs an approval that the run does not have. */
  needsApproval(tool: string): boolean;
}

/** Whether a call is executed. `ask`: only with an approval. Codes are stable, and models can read them. */
export type CallDecision =
  | { readonly effect: 'allow' }
  | { readonly effect: 'deny'; readonly code: 'tool_not_allowed'; readonly reason: string }
  | { readonly effect: 'ask'; readonly code: 'tool_approval_required'; readonly reason: string };

/**
 * Decides about a call with valid arguments, before it is executed. The tool gateway and the built-in tools of
 * executors use it. It imports no module, because foreign executors load it too.
 */
export function decideCall(tool: string, policy: CallPolicy): CallDecision {
  if (!policy.has(tool))
    return { effect: 'deny', code: 'tool_not_allowed', reason: `'${tool}' is not a tool of this run` };
  if (!policy.needsApproval(tool)) return { effect: 'allow' };
  const reason = `'${tool}' requires approval before each call, and none was given`;
  return { effect: 'ask', code: 'tool_approval_required', reason };
}

/** What the model reads instead of a result; undefined when the call is allowed. A stage cannot get approvals. */
export function refusalOf(decision: CallDecision): string | undefined {
  return decision.effect === 'allow' ? undefined : `denied: ${decision.reason} (${decision.code})`;
}
