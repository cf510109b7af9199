import { browserSpace } from '../contexts/browser-space.ts';
import type { OperatorSurfaceContext } from '../contexts/types.ts';
import { markShared } from '../json-bytes.ts';
import type { Attachment } from '../request/attachments.ts';
import type { HostRequestBody } from '../request/fingerprint.ts';
import { type InvocableSkill, type RunStartedPayload, WORKSPACE_DIR_PLACEHOLDER } from '../request/host-request.ts';
import type { Skill } from '../skills/quoted.ts';
import type { PrepareStageInput, StagedSurfaces } from './input.ts';
import type { StageInstruction } from './instruction.ts';
import type { PreparedMcp } from './mcp.ts';
import type { AgentRuntimeConfig } from './runtime-config.ts';

const DEFAULT_TIMEOUT_SECONDS = 1800;
const MAX_TIMEOUT_SECONDS = 7200;
const PREVIEW_LENGTH = 120;

/** The parts of a host request. */
export interface RequestParts {
  readonly input: PrepareStageInput;
  readonly mcp: PreparedMcp;
  readonly config: AgentRuntimeConfig;
  readonly instruction: StageInstruction;
  readonly attachments: readonly Attachment[];
}

/** Builds the host request without `run_started_payload`, which contains a fingerprint of the rest. */
export function hostRequestBody(parts: RequestParts): HostRequestBody {
  const { input, mcp, config, instruction, attachments } = parts;
  const { request, plan, harness, installation, surfaces = {} } = input;
  const browserTools = config.capability_manifest.browser_tools.length > 0;
  return {
    workspace_id: request.workspaceId,
    workspace_dir: WORKSPACE_DIR_PLACEHOLDER,
    session_id: request.sessionId,
    session_kind: config.capability_manifest.context.session_kind,
    input_id: request.requestId,
    user_id: userId(input),
    actor: request.actor ?? null,
    stage: input.stage,
    iteration: input.iteration,
    runtime_id: input.runtimeId,
    input_tree: input.inputTree ?? null,
    instruction: instruction.text,
    context_messages: config.context_messages,
    continued_context_messages: config.continued_context_messages,
    system_prompt: config.system_prompt,
    attachments,
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
    granted_tools: instruction.grantedTools,
    required_servers: plan.extensions?.required_servers ?? [],
    quoted_skill_ids: instruction.quotedSkillIds,
    workspace_skill_dirs: harness.skills
      ? (surfaces.skills ?? []).map((skill) => skill.location.replace(/\/[^/]*$/, ''))
      : [],
    skills: harness.skills ? (surfaces.skills ?? []).map((skill) => invocable(skill, surfaces)) : [],
    mcp_servers: harness.mcpTools ? mcp.servers : [],
    mcp_tool_refs: harness.mcpTools ? mcp.refs : [],
    workspace_tools: harness.mcpTools ? mcp.workspaceTools : null,
    applications: markShared(plan.resolved_applications),
    output_schema_member_id: config.output_schema_member_id,
    output_format: config.output_format,
    output_schema_module: config.output_schema_module,
    artifact_globs: plan.extensions?.output?.artifacts ?? [],
    workspace_boundary_override: request.boundaryOverride ?? false,
    workspace_config_checksum: plan.config_checksum,
  };
}

function invocable(
  { id, name, description, location, grants }: Skill,
  { unchangedSkillIds = [] }: StagedSurfaces,
): InvocableSkill {
  const { tools, commands } = unchangedSkillIds.includes(id) ? grants : { tools: [], commands: [] };
  // The tools of an executor are fixed when it starts. Only those of servers can be opened later.
  const ofServers = tools.filter((tool) => tool.includes('.'));
  return { id, name, description, location, granted_tools: ofServers, granted_commands: commands };
}

function userId({ contexts }: PrepareStageInput): string | null {
  const loaded = contexts?.current_user;
  return loaded?.status === 'loaded' ? loaded.value.profile_id : null;
}

function operatorSurface(input: PrepareStageInput): OperatorSurfaceContext | null {
  const loaded = input.contexts?.operator_surface;
  return loaded?.status === 'loaded' ? loaded.value : null;
}

/** The payload of the event for the start of the stage. */
export function startedPayload(
  parts: Pick<RequestParts, 'input' | 'mcp' | 'config'> & { readonly fingerprint: string },
): RunStartedPayload {
  const { input, mcp, config, fingerprint } = parts;
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
