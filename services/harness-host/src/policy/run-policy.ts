import { type AdapterEvent, type ErrorInfo, ReinsError, type RuntimeStageRequested } from '@reins/contracts';
import type { HarnessAdapter, HarnessResult } from '@reins/harness';
import { decide, type PolicyDecision, type PolicyLayers } from '@reins/policy';
import type { HostRequest } from '@reins/runtime-config';
import type { CallAuthority, CallRefusal, DecidedCall } from '@reins/tool-gateway';

export interface RunPolicyOptions {
  readonly layers: PolicyLayers;
  readonly mode: 'enforce' | 'shadow';
  readonly adapter: Pick<HarnessAdapter, 'runtimeId' | 'capabilities'>;
  readonly event: Pick<RuntimeStageRequested, 'workspaceId' | 'agentId' | 'stage'>;
  readonly request: Pick<HostRequest, 'session_kind' | 'user_id' | 'actor'>;
  /** Called in the mode `shadow` for each call that would be refused. */
  readonly onShadow: (signal: AdapterEvent) => void;
}

/** A model that is refused this often does not find another way. */
const MAX_REFUSALS = 20;

/** The policy of one stage run: decides about its calls, and ends a stage that only collects refusals. */
export class RunPolicy implements CallAuthority {
  readonly #options: RunPolicyOptions;
  readonly #exhausted = Promise.withResolvers<void>();
  #refusals = 0;
  #last: CallRefusal | undefined;

  /** @throws ReinsError `harness_unsupported` for a runtime that would call its own tools without a decision */
  constructor(options: RunPolicyOptions) {
    const { runtimeId, capabilities } = options.adapter;
    if (options.mode === 'enforce' && capabilities.model && capabilities.callDecisions !== true)
      throw new ReinsError({
        code: 'harness_unsupported',
        message: `the runtime ${runtimeId} cannot be restricted by a policy: it does not ask before its own tools run`,
        hint: 'Choose another runtime for this stage, such as pi or openai_chat.',
      });
    this.#options = options;
  }

  /** Resolves when so many calls were refused that the stage must end. */
  get exhausted(): Promise<void> {
    return this.#exhausted.promise;
  }

  /** @inheritdoc */
  refusalOf(call: DecidedCall): CallRefusal | undefined {
    const decision = this.#decide(call);
    if (decision.effect === 'allow') return undefined;
    const refusal = refusalFor(decision, call.toolId);
    const { mode, onShadow, adapter } = this.#options;
    if (mode === 'shadow') {
      const { policyId, reason } = refusal;
      const detail = { policyId, effect: decision.effect };
      const { toolId, callId } = call;
      const { runtimeId } = adapter;
      onShadow({ adapter: runtimeId, nativeType: 'policy_shadow', toolId, ...(callId && { callId }), reason, detail });
      return undefined;
    }
    this.#refusals += 1;
    this.#last = refusal;
    if (this.#refusals >= MAX_REFUSALS) this.#exhausted.resolve();
    return refusal;
  }

  /** The result of a stage: failed, if it ended because too many calls were refused. */
  resultOf(result: HarnessResult): HarnessResult {
    if (this.#refusals < MAX_REFUSALS || result.status === 'ok') return result;
    const error: ErrorInfo = {
      code: 'tool_denied_repeatedly',
      message: `the policy refused ${this.#refusals} calls of tools; the last one: ${this.#last?.reason ?? ''}`,
    };
    return { status: 'failed', error, retryable: false, ...(result.usage && { usage: result.usage }) };
  }

  /** A tool with several names gets the strictest decision of all of them. */
  #decide(call: DecidedCall): PolicyDecision {
    const decisions = this.#namesOf(call).map((toolId) => this.#decideAs(toolId, call));
    const strictest = ['deny', 'ask', 'allow'] as const;
    return strictest.flatMap((effect) => decisions.filter((each) => each.effect === effect))[0] as PolicyDecision;
  }

  /** A built-in tool has the names under which requests can ask for it, and the name that its executor has for it. */
  #namesOf({ toolId, serverId }: DecidedCall): readonly string[] {
    const { nativeToolNames = {} } = this.#options.adapter.capabilities;
    if (serverId !== undefined) return [toolId];
    const requested = Object.entries(nativeToolNames).flatMap(([name, native]) => (native === toolId ? [name] : []));
    return [...requested, toolId];
  }

  #decideAs(toolId: string, { serverId, isReadOnly, args, schema }: DecidedCall): PolicyDecision {
    const { layers, adapter, event, request } = this.#options;
    const { session_kind: sessionKind, user_id: userId, actor } = request;
    const agent = {
      ...{ workspaceId: event.workspaceId, agentId: event.agentId },
      ...{ sessionKind: sessionKind || undefined, userId: userId ?? undefined, actor: actor ?? undefined },
    };
    const { stage } = event;
    const tool = { toolId, serverId, isReadOnly };
    return decide({ agent, tool, arguments: args, schema, stage, runtimeId: adapter.runtimeId }, layers);
  }
}

function refusalFor(decision: Exclude<PolicyDecision, { effect: 'allow' }>, toolId: string): CallRefusal {
  const { policyId } = decision;
  if (decision.effect === 'deny') return { code: 'tool_denied', policyId, reason: decision.reason };
  const reason = `'${toolId}' requires approval by ${decision.groups.join(' and ')}, and none was given`;
  return { code: 'tool_approval_required', policyId, reason };
}
