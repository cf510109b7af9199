import { isReinsError, type JsonObject } from '@reins/contracts';
import type { AnswerFields } from '@reins/service-kit';
import { findAgent } from '@reins/workspace-plan';

/** What one workspace revision compiles to. It depends on the revision only. */
export type Answer =
  | {
      readonly type: 'runtime.plan.compiled';
      readonly fields: Omit<AnswerFields<'runtime.plan.compiled'>, 'runtimeProfile'>;
      /** The agents, of which the first is the default agent. */
      readonly agents: readonly [PlannedAgent, ...PlannedAgent[]];
    }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };

/** What the process needs to know of one agent. */
export interface PlannedAgent {
  readonly id: string;
  readonly runtimeProfile?: JsonObject;
}

/** The answer to the plan request of one agent. */
export type AgentAnswer =
  | { readonly type: 'runtime.plan.compiled'; readonly fields: AnswerFields<'runtime.plan.compiled'> }
  | { readonly type: 'runtime.plan.rejected'; readonly fields: AnswerFields<'runtime.plan.rejected'> };

/** Adds what depends on the agent. An agent that the workspace does not have is a reason to reject the request. */
export function answerFor(answer: Answer, agentId: string): AgentAnswer {
  if (answer.type === 'runtime.plan.rejected') return answer;
  const { type, fields, agents } = answer;
  try {
    const { runtimeProfile } = findAgent(agents, agentId);
    return { type, fields: { ...fields, ...(runtimeProfile && { runtimeProfile }) } };
  } catch (error) {
    if (!isReinsError(error)) throw error;
    const diagnostics = error.problems.map((problem) => ({ severity: 'error' as const, ...problem }));
    return { type: 'runtime.plan.rejected', fields: { diagnostics } };
  }
}
