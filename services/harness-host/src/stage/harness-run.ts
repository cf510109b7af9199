import type { JsonObject, JsonValue, RuntimeStageRequested } from '@reins/contracts';
import type {
  CallDecisions,
  HarnessDeadlines,
  HarnessEnvironment,
  HarnessRun,
  McpEndpoint,
  ModelEndpoint,
} from '@reins/harness';
import type { ModelFacts } from '@reins/model-catalog';
import { type HostRequest, inlineImages, userPromptText } from '@reins/runtime-config';
import type { RunFolder } from '../executor/run-folder.ts';
import { allowedTools } from './allowed-tools.ts';

/** The inputs of a harness run, with all references resolved. */
export interface RunParts {
  readonly event: RuntimeStageRequested;
  readonly request: HostRequest;
  readonly runToken: string;
  readonly folder: RunFolder;
  readonly model: ModelFacts;
  readonly endpoint: ModelEndpoint;
  readonly environment: HarnessEnvironment;
  readonly images: boolean;
  /** The executor's id of the session that was restored to the folder. */
  readonly nativeSessionId: string | undefined;
  /** The time limit in milliseconds. */
  readonly runForMs: number;
  /** The endpoint of the run's tool gateway, if it has one. */
  readonly mcpServers: readonly McpEndpoint[];
  /** Where the executor asks about built-in tools. Undefined: the run has no policy. */
  readonly callDecisions: CallDecisions | undefined;
  /** The names of tools that the prompt mentions and that are not available. */
  readonly missingTools: readonly string[];
}

const STARTUP_MS = 60_000;
const IDLE_MS = 300_000;
const NO_PROGRESS_MS = 600_000;

/** Converts a resolved host request to a harness run, and its limits to deadlines. */
export function harnessRunOf(parts: RunParts): HarnessRun {
  const { event, request, folder } = parts;
  return {
    effectId: event.effectId,
    attempt: event.attempt,
    stage: event.stage,
    runToken: parts.runToken,
    workDir: folder.workDir,
    homeDir: folder.homeDir,
    sessionDir: folder.sessionDir,
    instruction: request.instruction,
    prompt: [userPromptText(continuing(parts), { images: parts.images }), ...missingToolsNote(parts)].join('\n\n'),
    systemPrompt: request.system_prompt,
    contextMessages: continuing(parts).context_messages,
    providerId: request.provider_id ?? '',
    modelId: request.model_id ?? '',
    model: parts.model,
    endpoint: parts.endpoint,
    thinkingValue: request.thinking_value,
    tools: allowedTools(request),
    mcpServers: parts.mcpServers,
    ...(parts.callDecisions && { callDecisions: parts.callDecisions }),
    ...(request.workspace_boundary_override && { allowOutsideWorkDir: true }),
    ...(parts.nativeSessionId && { harnessSessionId: parts.nativeSessionId }),
    ...(request.output_format && {
      outputSchema: request.output_format.schema as JsonObject,
      outputRetries: request.output_format.retryCount,
    }),
    attachments: inlineImages(request.attachments).map((item) => ({
      path: item.workspace_path,
      mediaType: item.mime_type,
    })),
    deadlines: deadlinesOf(parts.runForMs, parts.environment.settings),
    environment: parts.environment,
  };
}

/** The request without the context messages that the restored session has. */
function continuing({ request, nativeSessionId }: RunParts): HostRequest {
  const { continued_context_messages: messages } = request;
  return nativeSessionId === undefined || messages === null ? request : { ...request, context_messages: messages };
}

/** The prompt is written before servers start, so only this note can say which tools are missing. */
function missingToolsNote({ missingTools }: RunParts): readonly string[] {
  return missingTools.length === 0 ? [] : [`These tools are not available in this run: ${missingTools.join(', ')}.`];
}

/** The deadlines of a run. Those for idle time, progress and tools are runtime settings (`harness.<runtimeId>`). */
function deadlinesOf(runForMs: number, { idleMs, noProgressMs, toolMs }: JsonObject): HarnessDeadlines {
  const within = (setting: JsonValue | undefined, fallback: number): number =>
    Math.min(isLimit(setting) ? setting : fallback, runForMs);
  return {
    totalMs: runForMs,
    startupMs: within(undefined, STARTUP_MS),
    idleMs: within(idleMs, IDLE_MS),
    noProgressMs: within(noProgressMs, NO_PROGRESS_MS),
    ...(isLimit(toolMs) && { toolMs: Math.min(toolMs, runForMs) }),
  };
}

const isLimit = (setting: JsonValue | undefined): setting is number => typeof setting === 'number' && setting >= 1;
