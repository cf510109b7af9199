import type { Evaluation, Policies } from './policies.ts';
import { cedarRequest, type ToolCallContext } from './tool-call.ts';

/** The policies that apply to a call. A layer that is absent restricts nothing. */
export interface PolicyLayers {
  readonly installation?: Policies | undefined;
  readonly workspace?: Policies | undefined;
}

/** Whether a call may be executed. `policyId` names the policy that decided, or why no policy did. */
export type PolicyDecision = Evaluation;

/**
 * Decides about a call. Each layer is evaluated alone, and the stricter result holds. So a workspace can only narrow what
 * its installation permits. An approval that both layers require needs the groups of both.
 */
export function decide(call: ToolCallContext, { installation, workspace }: PolicyLayers): PolicyDecision {
  const request = cedarRequest(call);
  const results = [installation, workspace].flatMap((policies) => (policies ? [policies.evaluate(request)] : []));
  return results.reduce(stricter, { effect: 'allow', policyId: 'default' });
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

function stricter(one: PolicyDecision, other: PolicyDecision): PolicyDecision {
  if (one.effect === 'ask' && other.effect === 'ask')
    return { ...one, groups: [...new Set([...one.groups, ...other.groups])].sort() };
  // Of two that allow, the later one is the policy of someone, not the default.
  return STRICTNESS[other.effect] >= STRICTNESS[one.effect] ? other : one;
}
