import type { Stage } from '@reins/contracts';
import type { McpServerPayload } from '../mcp/payloads.ts';
import type { ServerIdMapping } from '../mcp/server-ids.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSource } from '../model/select.ts';
import type { OutputFormat } from '../output/output-format.ts';
import type { McpToolRef, ResolvedApplicationRuntime } from '../plan.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { Attachment } from './attachments.ts';

/** The placeholder for the folder of the run, which only the host knows. */
export const WORKSPACE_DIR_PLACEHOLDER = '{host:workspace_dir}';

/** The workspace's own MCP tools, for the sidecar of the host. */
export interface WorkspaceToolsSpec {
  readonly physical_server_id: string;
  readonly fingerprint: string;
  readonly timeout_ms: number;
  readonly catalog_json_base64: string;
}

/** A skill that the model may invoke. */
export interface InvocableSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The path of its SKILL.md in the tree of the stage. */
  readonly location: string;
  /**
   * What invoking it opens: the gated tools of servers and the commands that it requests. Empty for a skill that a run
   * has changed: an agent must not open gates by editing a skill.
   */
  readonly granted_tools: readonly string[];
  readonly granted_commands: readonly string[];
}

/**
 * The payload of the event for the start of a stage. It contains no timestamps, so that equal requests stay equal; the event has
 * them.
 */
export interface RunStartedPayload {
  readonly instruction_preview: string;
  readonly provider_id: string | null;
  readonly model_id: string | null;
  readonly model_source: ModelSource;
  readonly workspace_tool_ids: readonly string[];
  readonly workspace_skill_ids: readonly string[];
  readonly workspace_command_ids: readonly string[];
  readonly context_message_count: number;
  readonly prompt_section_ids: readonly string[];
  readonly prompt_cache_profile: PromptCacheProfile;
  readonly capability_manifest_fingerprint: string;
  readonly request_snapshot_fingerprint: string;
  readonly mcp_server_ids: readonly string[];
  readonly mcp_server_mappings: readonly ServerIdMapping[];
  readonly structured_output_enabled: boolean;
  readonly workspace_config_checksum: string;
}

/**
 * The request that is sent to a harness. It contains no secrets: values of the installation's environment are
 * placeholders, `{env:NAME}` and `{setting:path}`. The host replaces them when it starts a process that needs them.
 */
export interface HostRequest {
  readonly workspace_id: string;
  readonly workspace_dir: string;
  readonly session_id: string;
  readonly session_kind: string;
  readonly input_id: string;
  /** The id of the user that the request works for, as its `metadata.context.user` has it. */
  readonly user_id: string | null;
  /** The name of the API key that submitted the request. Null: it did not come through the API. */
  readonly actor: string | null;
  readonly stage: Stage;
  readonly iteration: number;
  readonly runtime_id: string;
  readonly input_tree: string | null;
  /** The user's message after the two lines that name stage and iteration. Quoted skills are expanded. */
  readonly instruction: string;
  readonly context_messages: readonly string[];
  /**
   * The context messages if the executor continues `harness_session_id`: without what that session has. Null if there is
   * no session to continue.
   */
  readonly continued_context_messages: readonly string[] | null;
  readonly system_prompt: string;
  readonly attachments: readonly Attachment[];
  readonly thinking_value: string | null;
  readonly debug: boolean;
  readonly harness_session_id: string | null;
  readonly provider_id: string | null;
  readonly model_id: string | null;
  readonly model_client: ModelClient | null;
  readonly timeout_seconds: number;
  readonly runtime_api_base_url: string | null;
  readonly browser_tools_enabled: boolean;
  readonly browser_space: 'agent' | 'user' | null;
  /**
   * The tools that the run may use: MCP tools by callable name, others by id. The tools that the host discovers from
   * `discovered` servers (those without `mcp_tool_refs`) are allowed too.
   */
  readonly tools: Readonly<Record<string, true>>;
  readonly gated_tools: readonly string[];
  /** Ids of gated tools that the user opened by quoting a skill that requests them. */
  readonly granted_tools: readonly string[];
  /** Logical ids of servers and applications without which the run must not continue. */
  readonly required_servers: readonly string[];
  /** Skills that the user quoted. Quoting a skill grants what it requests. */
  readonly quoted_skill_ids: readonly string[];
  readonly workspace_skill_dirs: readonly string[];
  /** The skills that the model may invoke. */
  readonly skills: readonly InvocableSkill[];
  readonly mcp_servers: readonly McpServerPayload[];
  readonly mcp_tool_refs: readonly McpToolRef[];
  readonly workspace_tools: WorkspaceToolsSpec | null;
  readonly applications: readonly ResolvedApplicationRuntime[];
  readonly output_schema_member_id: string | null;
  readonly output_format: OutputFormat | null;
  /** A workspace module that provides the output schema. It is code, so only the host may load it. */
  readonly output_schema_module: string | null;
  /** Paths and globs of the artifacts that the run produces. */
  readonly artifact_globs: readonly string[];
  /** An explicit permission in the request; never inferred from its text. */
  readonly workspace_boundary_override: boolean;
  readonly workspace_config_checksum: string;
  readonly run_started_payload: RunStartedPayload;
}
