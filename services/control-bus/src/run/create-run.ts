import {
  type CommandRunSubmit,
  type EntryData,
  isObject,
  type JsonObject,
  type JsonValue,
  type ProcessRef,
  type SessionState,
} from '@reins/contracts';
import type { EntryDraft, RunState } from '@reins/journal';
import type { PipelineInputs } from '../processes/pipeline-inputs.ts';
import { takesRawInput } from '../processes/runner-of.ts';

/** What of the installation goes into a new run. */
export interface RunDefaults {
  readonly profile: PipelineInputs['profile'];
  readonly limits: PipelineInputs['limits'];
}

/** What drives the run, and what its session hands on. */
export interface RunOrigin extends RunDefaults {
  readonly process: ProcessRef;
  readonly session: SessionState;
  /** Of a run without a process: by when it must be given one. */
  readonly assignBy?: string;
}

/** The first entry of a run. */
export function createRun(
  command: CommandRunSubmit,
  { process, session, assignBy, ...defaults }: RunOrigin,
): EntryDraft[] {
  const data: EntryData['RUN_CREATED'] = {
    workspaceId: command.workspaceId,
    sessionId: command.sessionId,
    agentId: command.agentId,
    revision: command.revision,
    process,
    ...processInputsOf(process.id, command, defaults),
    session,
    idempotencyKey: command.idempotencyKey,
    ...(command.retryOf !== undefined && { retryOf: command.retryOf }),
    ...(command.traceparent !== undefined && { traceparent: command.traceparent }),
    ...(command.parent && { parent: command.parent }),
    ...(assignBy !== undefined && { assignBy }),
  };
  return [{ type: 'RUN_CREATED', data }];
}

/** What a request says beside its input. An authored process finds it in `ctx.request`; the runs inside its run inherit it. */
export type RequestOptions = Pick<CommandRunSubmit, 'attachments' | 'model' | 'thinkingValue' | 'stages' | 'metadata'>;

export const requestOptionsOf = ({
  attachments,
  model,
  thinkingValue,
  stages,
  metadata,
}: RequestOptions): RequestOptions => ({
  ...(attachments !== undefined && { attachments }),
  ...(model !== undefined && { model }),
  ...(thinkingValue !== undefined && { thinkingValue }),
  ...(stages !== undefined && { stages }),
  ...(metadata !== undefined && { metadata }),
});

/** A request as its process is given it: its input, and what was said beside that. */
export type ProcessRequest = Pick<CommandRunSubmit, 'input'> & RequestOptions;

/** What a process begins with, as the entry that gives it to a run has it. */
export function processInputsOf(
  process: string,
  request: ProcessRequest,
  defaults: RunDefaults,
): Pick<EntryData['RUN_CREATED'], 'inputs' | 'metadata'> {
  if (!takesRawInput(process)) return { inputs: inputsOf(request, defaults) };
  return { inputs: request.input, metadata: requestOptionsOf(request) as unknown as JsonObject };
}

/** The request that a run was given, whatever drives it. */
export function requestOfRun({
  process,
  inputs,
  metadata = {},
}: Pick<RunState, 'process' | 'inputs' | 'metadata'>): ProcessRequest {
  if (takesRawInput(process.id)) return { ...requestOptionsOf(metadata as RequestOptions), input: inputs };
  if (!isObject(inputs)) return { input: inputs };
  return { ...requestOptionsOf(inputs as RequestOptions), input: inputs.input ?? null };
}

/** What a built-in process is given: the words of the request, and what of the installation its decisions depend on. */
function inputsOf(command: ProcessRequest, { profile, limits }: RunDefaults): JsonValue {
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
