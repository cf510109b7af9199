import type { Stage } from '@reins/contracts';
import type { McpServerPayload } from '../mcp/payloads.ts';
import type { ServerIdMapping } from '../mcp/server-ids.ts';
import type { ModelClient } from '../model/client.ts';
import type { ModelSource } from '../model/select.ts';
import type { OutputFormat } from '../output/output-format.ts';
import type { McpToolRef, ResolvedApplicationRuntime } from '../plan.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { Attachment } from './attachments.ts';

/** Stands for the folder that the host lays the run's tree out in; only the host knows it. */
export const WORKSPACE_DIR_PLACEHOLDER = '{host:workspace_dir}';

/** The workspace's own MCP tools, as the host's sidecar needs to know them. */
export interface WorkspaceToolsSpec {
  readonly physical_server_id: string;
  readonly fingerprint: string;
  readonly timeout_ms: number;
  readonly catalog_json_base64: string;
}

/** What is told when a stage starts. Times are told by the event, not here, so that equal requests are equal. */
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
 * The reduced execution package that crosses into a harness. It holds no secret: keys and values of the installation's environment
 * stand in it as `{env:NAME}` and `{setting:path}`, and the host puts them in when it starts what needs them.
 */
export interface HostRequest {
  readonly workspace_id: string;
  readonly workspace_dir: string;
  readonly session_id: string;
  readonly session_kind: string;
  readonly input_id: string;
  readonly stage: Stage;
  readonly iteration: number;
  readonly runtime_id: string;
  readonly input_tree: string | null;
  /** The user's words, led by the two lines that name stage and iteration; quoted skills are expanded in it. */
  readonly instruction: string;
  readonly context_messages: readonly string[];
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
  /** Callable names that the run may use. What a server without references offers is allowed besides. */
  readonly tools: Readonly<Record<string, true>>;
  readonly gated_tools: readonly string[];
  /** Those of them, by tool id, that the user opened by quoting a skill that asks for them. */
  readonly granted_tools: readonly string[];
  /** Servers and applications, by logical id, without which the run must not go on. */
  readonly required_servers: readonly string[];
  /** Skills that the user quoted; quoting one is the user's grant of what it asks for. */
  readonly quoted_skill_ids: readonly string[];
  readonly workspace_skill_dirs: readonly string[];
  readonly mcp_servers: readonly McpServerPayload[];
  readonly mcp_tool_refs: readonly McpToolRef[];
  readonly workspace_tools: WorkspaceToolsSpec | null;
  readonly applications: readonly ResolvedApplicationRuntime[];
  readonly output_schema_member_id: string | null;
  readonly output_format: OutputFormat | null;
  /** A module of the workspace that gives the schema of the answer. It is code, so only the host may load it. */
  readonly output_schema_module: string | null;
  /** Paths and globs of what the run leaves behind for its reader. */
  readonly artifact_globs: readonly string[];
  /** An explicit grant of the request; never inferred from its words. */
  readonly workspace_boundary_override: boolean;
  readonly workspace_config_checksum: string;
  readonly run_started_payload: RunStartedPayload;
}
