import type { AnyEvent, CommandRunSubmit, EventOf, JsonObject, JsonValue, ParentRef } from '@reins/contracts';
import { isObject } from '@reins/contracts';
import type { EffectState, Entry, RunState } from '@reins/journal';
import { type RequestOptions, requestOptionsOf } from './create-run.ts';
import { effectTraceparent } from './run-trace.ts';

/** A run may be inside so many others, and no more: a process that starts itself must come to an end. */
export const MAX_DEPTH = 8;

/** The command that starts the run which an effect of the kind `child` asks for. Sent again, it changes nothing. */
export function childSubmit(
  state: RunState,
  { effectId, attempt, request, requestedAt }: EffectState,
): CommandRunSubmit {
  const { run, sessionId, agentId, revision, parent } = state;
  const requestId = String(request.childRequestId);
  const traceparent = effectTraceparent(state, effectId);
  return {
    type: 'command.run.submit',
    requestId,
    // A conversation of its own: its parent's has a running request already.
    sessionId: requestId,
    agentId,
    workspaceId: run.workspaceId,
    idempotencyKey: `${effectId}.${attempt}`,
    revision,
    input: (request.inputs as JsonValue | undefined) ?? null,
    process: String(request.process),
    ...inheritedOptions(state, request),
    submittedAt: requestedAt,
    ...(traceparent !== undefined && { traceparent }),
    parent: { requestId: run.runId, sessionId, agentId, effectId, attempt, depth: (parent?.depth ?? 0) + 1 },
  };
}

/** What was merged with the request that it is a part of, and what its process says about it. */
function inheritedOptions(
  { metadata: words = {} }: RunState,
  { metadata, prompt, processId }: JsonObject,
): RequestOptions {
  const request = requestOptionsOf(words as RequestOptions);
  const merged = {
    ...request.metadata,
    ...(isObject(metadata) && metadata),
    ...(prompt && { prompt }),
    ...(processId && { processId }),
  };
  return { ...request, ...(Object.keys(merged).length > 0 && { metadata: merged as JsonObject }) };
}

/** Nobody waits for the child run any more. */
export function childCancel(
  state: RunState,
  { effectId, attempt, request }: EffectState,
): EventOf<'command.run.cancel'> {
  const requestId = String(request.childRequestId);
  const head = { requestId, sessionId: requestId, agentId: state.agentId, workspaceId: state.run.workspaceId };
  const reason = `run ${state.run.runId} does not wait for it any more`;
  return { type: 'command.run.cancel', ...head, idempotencyKey: `${effectId}.${attempt}.cancel`, reason };
}

/** What the run that waits for this one learns of an entry: the answer to its effect. */
export function answerToParent({ run, parent }: RunState, entry: Entry): AnyEvent | undefined {
  if (!parent) return undefined;
  switch (entry.type) {
    case 'RUN_CREATED':
      return answer('runtime.child.started', {});
    case 'RUN_COMPLETED':
      return answer('runtime.child.completed', { output: entry.data.output });
    case 'RUN_HALTED':
      return answer('runtime.child.completed', { output: entry.data.payload ?? null });
    case 'RUN_FAILED':
      return answer('runtime.child.failed', { error: { ...entry.data.error } });
    case 'RUN_CANCELLED': {
      const why = entry.data.reason === undefined ? '' : `: ${entry.data.reason}`;
      const error = { code: 'effect_cancelled', message: `the child run was cancelled${why}` };
      return answer('runtime.child.failed', { error });
    }
    default:
      return undefined;
  }

  function answer(type: AnyEvent['type'], fields: JsonObject): AnyEvent {
    const { depth: _, ...head } = parent as ParentRef;
    return { type, ...head, workspaceId: run.workspaceId, childRequestId: run.runId, ...fields } as unknown as AnyEvent;
  }
}
