import {
  isObject,
  type JsonObject,
  type JsonValue,
  type RuntimePrepareRequested,
  type Turn,
  type Verdict,
} from '@reins/contracts';
import {
  type HarnessCapabilities,
  type Installation,
  type PreparedStage,
  prepareStage,
  type StageHistory,
} from '@reins/runtime-config';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';

/** A stage's preparation as one pure call: the event and the plan in, the host request out. */
export function prepare(
  event: RuntimePrepareRequested,
  plan: CompiledWorkspaceRuntimePlan,
  installation: Installation,
  harness: HarnessCapabilities,
): PreparedStage {
  const { model, thinkingValue, input } = requestOf(event.input);
  const { stage, iteration, runtimeId, workspaceId, sessionId, requestId, tree } = event;
  return prepareStage({
    plan,
    installation,
    harness,
    stage,
    iteration,
    runtimeId,
    request: { workspaceId, sessionId, requestId },
    instruction: textOf(input),
    selectedModel: model,
    thinkingValue,
    history: historyOf(event.context),
    contexts: { session_resume: sessionOf(event.context) },
    inputTree: tree,
  });
}

function requestOf(value: JsonValue): { input: JsonValue; model: string | null; thinkingValue: string | null } {
  const request = isObject(value) ? value : {};
  const text = (field: JsonValue | undefined): string | null => (typeof field === 'string' ? field : null);
  return { input: request.input ?? null, model: text(request.model), thinkingValue: text(request.thinkingValue) };
}

/** What earlier stages of the run left: the interview's brief, the last execution, its verdict, the reflection on it. */
function historyOf(context: JsonObject | undefined): StageHistory {
  const { interview, previous, verdict, reflection } = context ?? {};
  return {
    brief: textOrNull(interview),
    execution: textOrNull(previous),
    reflection: textOrNull(reflection),
    verdict: isObject(verdict) ? (verdict as unknown as Verdict) : null,
  };
}

function sessionOf(context: JsonObject | undefined) {
  const turns =
    isObject(context?.session) && Array.isArray(context.session.turns)
      ? (context.session.turns as unknown as readonly Turn[])
      : [];
  if (turns.length === 0) return { status: 'empty' } as const;
  const recent = turns.map(({ requestId, input, output, endedAt }) => ({
    input_id: requestId,
    status: 'completed',
    summary: `${input}\n→ ${output}`,
    completed_at: endedAt,
  }));
  return { status: 'loaded', value: { recent_turns: recent } } as const;
}

/** An output is a text, or `{text}`, or any JSON. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (isObject(value) && typeof value.text === 'string') return value.text;
  return value === null ? '' : JSON.stringify(value);
}

const textOrNull = (value: JsonValue | undefined): string | null =>
  value === undefined || value === null ? null : textOf(value);
