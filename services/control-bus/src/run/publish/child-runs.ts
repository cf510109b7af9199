import type { AnyEvent, CommandRunSubmit, EventOf, JsonObject, JsonValue, ParentRef } from '@reins/contracts';
import { defined, isObject } from '@reins/contracts';
import {
  type EffectState,
  type Entry,
  type RequestOptions,
  type RunState,
  requestOptionsOf,
  rootRequestId,
} from '@reins/journal';
import { effectTrace } from './run-trace.ts';

/** Maximum nesting of child runs, so that a process that starts itself ends. */
export const MAX_DEPTH = 8;

/** The command that starts the child run of an effect of kind `child`. Idempotent. */
export function childSubmit(
  state: RunState,
  { effectId, attempt, request, requestedAt }: EffectState,
): CommandRunSubmit {
  const { run, sessionId, agentId, revision, parent } = state;
  const requestId = String(request.childRequestId);
  const trace = effectTrace(state, effectId);
  const root = parent ? rootRequestId(parent) : run.runId;
  return {
    type: 'command.run.submit',
    requestId,
    // A session of its own, because the parent's session has a running request.
    sessionId: requestId,
    agentId,
    workspaceId: run.workspaceId,
    idempotencyKey: `${effectId}.${attempt}`,
    revision,
    input: (request.inputs as JsonValue | undefined) ?? null,
    process: String(request.process),
    ...inheritedOptions(state, request),
    ...defined({ userId: state.userId }),
    submittedAt: requestedAt,
    ...trace,
    parent: {
      requestId: run.runId,
      sessionId,
      agentId,
      effectId,
      attempt,
      depth: (parent?.depth ?? 0) + 1,
      ...defined({ rootRequestId: root }),
    },
  };
}

/** The options of the parent's request, merged with those that the process gave for the child. */
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
    ...withActorOf(request.metadata, metadata),
  };
  return { ...request, ...(Object.keys(merged).length > 0 && { metadata: merged as JsonObject }) };
}

/** The command that cancels a child run because its parent no longer waits for it. */
export function childCancel(
  state: RunState,
  { effectId, attempt, request }: EffectState,
): EventOf<'command.run.cancel'> {
  const requestId = String(request.childRequestId);
  const head = { requestId, sessionId: requestId, agentId: state.agentId, workspaceId: state.run.workspaceId };
  const reason = `run ${state.run.runId} no longer waits for it`;
  return { type: 'command.run.cancel', ...head, idempotencyKey: `${effectId}.${attempt}.cancel`, reason };
}

/** The answer to the parent's effect that follows from an entry; undefined when there is none. */
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
    const { depth: _depth, rootRequestId: _root, ...head } = parent as ParentRef;
    return { type, ...head, workspaceId: run.workspaceId, childRequestId: run.runId, ...fields } as unknown as AnyEvent;
  }
}

/** The context that the process gave for the child, with the actor of the parent: a process cannot act for others. */
function withActorOf(parent: JsonObject | undefined, given: JsonValue | undefined): { readonly context?: JsonObject } {
  const { actor } = isObject(parent?.context) ? parent.context : {};
  if (actor === undefined || !isObject(given) || !isObject(given.context)) return {};
  return { context: { ...(given.context as JsonObject), actor } };
}
