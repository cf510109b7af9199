import {
  type CommandRunSubmit,
  defined,
  type EntryData,
  type JsonObject,
  type JsonValue,
  type ProcessRef,
  type SessionState,
  traceHeadersOf,
} from '@reins/contracts';
import { type EntryDraft, type RunRequest, requestOptionsOf, takesRawInput } from '@reins/journal';
import type { PipelineInputs } from '../../processes/pipeline-inputs.ts';

/** The installation's settings that are recorded in a new run. */
export interface RunDefaults {
  readonly profile: PipelineInputs['profile'];
  readonly limits: PipelineInputs['limits'];
}

/** The process of a new run, and the session state that it inherits. */
export interface RunOrigin extends RunDefaults {
  readonly process: ProcessRef;
  readonly session: SessionState;
  /** For a run without a process: the deadline for assigning one. */
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
    ...defined({ retryOf: command.retryOf }),
    ...traceHeadersOf(command),
    ...(command.parent && { parent: command.parent }),
    ...defined({ assignBy, userId: command.userId }),
  };
  return [{ type: 'RUN_CREATED', data }];
}

/** The process inputs, in the form in which RUN_CREATED and PROCESS_ASSIGNED record them. */
export function processInputsOf(
  process: string,
  request: RunRequest,
  defaults: RunDefaults,
): Pick<EntryData['RUN_CREATED'], 'inputs' | 'metadata'> {
  if (!takesRawInput(process)) return { inputs: inputsOf(request, defaults) };
  return { inputs: request.input, metadata: requestOptionsOf(request) as unknown as JsonObject };
}

/** The inputs of a built-in process: the request, and the installation settings that its decisions depend on. */
function inputsOf(command: RunRequest, { profile, limits }: RunDefaults): JsonValue {
  const inputs: PipelineInputs = {
    input: command.input,
    attachments: command.attachments ?? [],
    metadata: command.metadata ?? {},
    stages: (command.stages ?? {}) as PipelineInputs['stages'],
    profile,
    limits,
    ...defined({ model: command.model, thinkingValue: command.thinkingValue }),
  };
  return inputs as unknown as JsonValue;
}
