import type { CommandRunSubmit, EntryData, JsonObject, JsonValue, ProcessRef, SessionState } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import type { PipelineInputs } from '../processes/pipeline-inputs.ts';
import { isAuthored } from '../processes/runner-of.ts';

/** What of the installation goes into a new run. */
export interface RunDefaults {
  readonly profile: PipelineInputs['profile'];
  readonly limits: PipelineInputs['limits'];
}

/** What drives the run, and what its session hands on. */
export interface RunOrigin extends RunDefaults {
  readonly process: ProcessRef;
  readonly session: SessionState;
}

/** The first entry of a run. */
export function createRun(command: CommandRunSubmit, { process, session, ...defaults }: RunOrigin): EntryDraft[] {
  const data: EntryData['RUN_CREATED'] = {
    workspaceId: command.workspaceId,
    sessionId: command.sessionId,
    agentId: command.agentId,
    revision: command.revision,
    process,
    ...(isAuthored(process.id)
      ? { inputs: command.input, metadata: wordsOf(command) as unknown as JsonObject }
      : { inputs: inputsOf(command, defaults) }),
    session,
    idempotencyKey: command.idempotencyKey,
    ...(command.retryOf !== undefined && { retryOf: command.retryOf }),
    ...(command.traceparent !== undefined && { traceparent: command.traceparent }),
    ...(command.parent && { parent: command.parent }),
  };
  return [{ type: 'RUN_CREATED', data }];
}

/** What a request says beside its input. An authored process finds it in `ctx.request`; the runs inside its run inherit it. */
export type RequestWords = Pick<CommandRunSubmit, 'attachments' | 'model' | 'thinkingValue' | 'stages' | 'metadata'>;

export const wordsOf = ({ attachments, model, thinkingValue, stages, metadata }: RequestWords): RequestWords => ({
  ...(attachments !== undefined && { attachments }),
  ...(model !== undefined && { model }),
  ...(thinkingValue !== undefined && { thinkingValue }),
  ...(stages !== undefined && { stages }),
  ...(metadata !== undefined && { metadata }),
});

/** What a built-in process is given: the words of the request, and what of the installation its decisions depend on. */
export function inputsOf(command: CommandRunSubmit, { profile, limits }: RunDefaults): JsonValue {
  const inputs: PipelineInputs = {
    input: command.input,
    attachments: command.attachments ?? [],
    metadata: command.metadata ?? {},
    stages: (command.stages ?? {}) as PipelineInputs['stages'],
    profile,
    limits,
    ...(command.model !== undefined && { model: command.model }),
    ...(command.thinkingValue !== undefined && { thinkingValue: command.thinkingValue }),
  };
  return inputs as unknown as JsonValue;
}
