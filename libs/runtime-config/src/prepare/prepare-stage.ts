import { type Problem, ReinsError } from '@reins/contracts';
import { browserSpace } from '../contexts/browser-space.ts';
import type { ContextOutcome, OperatorSurfaceContext } from '../contexts/types.ts';
import { parseThinking } from '../model/thinking.ts';
import { normalizeAttachments } from '../request/attachments.ts';
import { requestFingerprint, type UnmarkedHostRequest } from '../request/fingerprint.ts';
import { type HostRequest, type RunStartedPayload, WORKSPACE_DIR_PLACEHOLDER } from '../request/host-request.ts';
import { type TurnRequestSnapshot, turnRequestSnapshot } from '../request/snapshot.ts';
import { idleGrants } from '../skills/policy.ts';
import { expandQuotedSkills, type QuotedSkills, takeQuotedSkills } from '../skills/quoted.ts';
import { stageMarker } from '../stages.ts';
import type { PrepareStageInput } from './input.ts';
import { type PreparedMcp, prepareMcp } from './mcp.ts';
import { type AgentRuntimeConfig, projectAgentRuntimeConfig } from './runtime-config.ts';

/** A stage that is ready to be handed to its harness. */
export interface PreparedStage {
  readonly hostRequest: HostRequest;
  readonly snapshot: TurnRequestSnapshot;
  readonly fingerprint: string;
  readonly runtimeConfig: AgentRuntimeConfig;
  readonly contexts: readonly ContextOutcome[];
  readonly warnings: readonly Problem[];
}

const DEFAULT_TIMEOUT_SECONDS = 1800;
const MAX_TIMEOUT_SECONDS = 7200;
const PREVIEW_LENGTH = 120;

/**
 * Makes the host request of one stage, its fingerprint and its sanitised copy. Everything follows from the input: no file, no
 * environment, no clock. What a run cannot go on without is thrown, all of it at once where it is independent; the rest are warnings.
 */
export function prepareStage(input: PrepareStageInput): PreparedStage {
  requireInstruction(input);
  const surfaces = input.surfaces ?? {};
  const { workspaceId } = input.request;
  const { sandboxId, environmentNames } = input.installation;
  const mcp = prepareMcp(input.plan, { workspaceId, sandboxId, environmentNames }, surfaces);
  const { config, contexts, warnings } = projectAgentRuntimeConfig(input, mcp);
  const quote = takeQuotedSkills(input.instruction);
  const quoted = expandQuotedSkills(quote.ids, surfaces.skills ?? []);
  const request = unmarkedRequest(input, mcp, config, quoted, instructionText(input, quote.body, quoted));
  const fingerprint = requestFingerprint(request, {
    profile: config.prompt_cache_profile,
    manifest: config.capability_manifest,
    servers: mcp.names,
  });
  const hostRequest = { ...request, run_started_payload: startedPayload(input, mcp, config, fingerprint) };
  const snapshot = turnRequestSnapshot(
    {
      request: hostRequest,
      rawInstruction: input.instruction,
      mode: config.mode,
      sections: config.prompt_sections,
      manifest: config.capability_manifest,
    },
    { secrets: input.secrets ?? [] },
  );
  return {
    hostRequest,
    snapshot,
    fingerprint,
    runtimeConfig: config,
    contexts,
    warnings: [
      ...warnings,
      ...idleGrants(surfaces.skills ?? [], hostRequest.gated_tools),
      ...thinkingWarnings(input.thinkingValue),
    ],
  };
}

function requireInstruction(input: PrepareStageInput): void {
  if (input.instruction.trim() !== '' || (input.attachments ?? []).length > 0) return;
  throw new ReinsError({
    code: 'host_request_invalid',
    message: 'instruction is required',
    path: 'instruction',
    hint: 'say what is to be done, or attach something',
  });
}

/** The user's words under the lines that name stage and iteration, with quoted skills in front of them. */
function instructionText(input: PrepareStageInput, body: string, quoted: QuotedSkills): string {
  const words = body === '' && input.instruction.trim() === '' ? 'Review what is attached.' : body;
  return [stageMarker(input.stage, input.iteration), ...quoted.sections, words]
    .filter((part) => part !== '')
    .join('\n\n');
}

function unmarkedRequest(
  input: PrepareStageInput,
  mcp: PreparedMcp,
  config: AgentRuntimeConfig,
  quoted: QuotedSkills,
  instruction: string,
): UnmarkedHostRequest {
  const { request, plan, harness, installation, surfaces = {} } = input;
  const browserTools = config.capability_manifest.browser_tools.length > 0;
  return {
    workspace_id: request.workspaceId,
    workspace_dir: WORKSPACE_DIR_PLACEHOLDER,
    session_id: request.sessionId,
    session_kind: config.capability_manifest.context.session_kind,
    input_id: request.requestId,
    stage: input.stage,
    iteration: input.iteration,
    runtime_id: input.runtimeId,
    input_tree: input.inputTree ?? null,
    instruction,
    context_messages: config.context_messages,
    system_prompt: config.system_prompt,
    attachments: normalizeAttachments(input.attachments ?? []),
    thinking_value: input.thinkingValue ?? null,
    debug: request.debug ?? false,
    harness_session_id: input.harnessSessionId ?? null,
    provider_id: config.provider_id,
    model_id: config.model_id,
    model_client: config.model_client,
    timeout_seconds: clampTimeout(installation.timeoutSeconds),
    runtime_api_base_url: installation.runtimeApiBaseUrl ?? null,
    browser_tools_enabled: browserTools,
    browser_space: browserTools ? (surfaces.browser?.space ?? browserSpace(operatorSurface(input))) : null,
    tools: config.tools,
    gated_tools: plan.extensions?.gated_tools ?? [],
    quoted_skill_ids: quoted.found.map((skill) => skill.id),
    workspace_skill_dirs: harness.skills
      ? (surfaces.skills ?? []).map((skill) => skill.location.replace(/\/[^/]*$/, ''))
      : [],
    mcp_servers: harness.mcpTools ? mcp.servers : [],
    mcp_tool_refs: harness.mcpTools ? mcp.refs : [],
    workspace_tools: harness.mcpTools ? mcp.workspaceTools : null,
    applications: plan.resolved_applications,
    output_schema_member_id: config.output_schema_member_id,
    output_format: config.output_format,
    workspace_boundary_override: request.boundaryOverride ?? false,
    workspace_config_checksum: plan.config_checksum,
  };
}

function operatorSurface(input: PrepareStageInput): OperatorSurfaceContext | null {
  const loaded = input.contexts?.operator_surface;
  return loaded?.status === 'loaded' ? loaded.value : null;
}

function startedPayload(
  input: PrepareStageInput,
  mcp: PreparedMcp,
  config: AgentRuntimeConfig,
  fingerprint: string,
): RunStartedPayload {
  return {
    instruction_preview: input.instruction.slice(0, PREVIEW_LENGTH),
    provider_id: config.provider_id,
    model_id: config.model_id,
    model_source: config.model_source,
    workspace_tool_ids: config.workspace_tool_ids,
    workspace_skill_ids: config.workspace_skill_ids,
    workspace_command_ids: config.capability_manifest.workspace_commands,
    context_message_count: config.context_messages.length,
    prompt_section_ids: config.prompt_sections.map((section) => section.id),
    prompt_cache_profile: config.prompt_cache_profile,
    capability_manifest_fingerprint: config.capability_manifest.fingerprint,
    request_snapshot_fingerprint: fingerprint,
    mcp_server_ids: config.capability_manifest.context.mcp_server_ids,
    mcp_server_mappings: mcp.mappings,
    structured_output_enabled: input.harness.structuredOutput && config.output_format !== null,
    workspace_config_checksum: config.workspace_config_checksum,
  };
}

function clampTimeout(seconds: number | undefined): number {
  if (seconds === undefined || !Number.isFinite(seconds)) return DEFAULT_TIMEOUT_SECONDS;
  return Math.min(MAX_TIMEOUT_SECONDS, Math.max(1, Math.trunc(seconds)));
}

function thinkingWarnings(value: string | null | undefined): readonly Problem[] {
  if (parseThinking(value).known) return [];
  return [
    {
      code: 'thinking_value_unknown',
      message: 'the thinking value is none that is known; the executor keeps its own default',
      path: 'thinkingValue',
      hint: 'use off, minimal, low, medium, high, xhigh, or a number of tokens',
    },
  ];
}
