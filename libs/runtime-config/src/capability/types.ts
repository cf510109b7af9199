import type { HarnessCapabilities, SessionKind } from '../harness.ts';
import type { McpToolRef } from '../plan.ts';
import type { McpToolAlias } from './callable-names.ts';
import type { ToolPolicy } from './definitions.ts';
import type { McpToolAnnotations } from './mcp-policy.ts';

/** Everything that could be offered to a run. The evaluation decides what the run gets. */
export interface CapabilitySurface {
  readonly runtimeId: string;
  readonly sessionKind: SessionKind;
  readonly harness: HarnessCapabilities;
  readonly defaultTools: readonly string[];
  readonly extraTools: readonly string[];
  readonly browserAvailable: boolean;
  readonly browserToolIds: readonly string[];
  readonly runtimeToolIds: readonly string[];
  readonly workspaceCommandIds: readonly string[];
  readonly workspaceSkillIds: readonly string[];
  /** What the agents of the workspace may use. Absent: everything. */
  readonly agentTools?: { readonly withheld: readonly string[]; readonly builtin: readonly string[] | null };
  /** Descriptions and paths of skills, by id. */
  readonly skillTexts?: Readonly<Record<string, SkillText>>;
  /** Tool references with physical server ids and logical tool ids. */
  readonly mcpToolRefs: readonly McpToolRef[];
  /** Every connected server with its logical and physical id. */
  readonly mcpServers: readonly { readonly logical: string; readonly physical: string }[];
  readonly mcpAnnotations: Readonly<Record<string, McpToolAnnotations>>;
}

export interface SkillText {
  readonly description: string;
  /** The path of its SKILL.md. */
  readonly location: string;
}

export type CapabilityKind =
  | 'builtin_tool'
  | 'browser_tool'
  | 'runtime_tool'
  | 'mcp_tool'
  | 'custom_tool'
  | 'skill'
  | 'command';

export type CapabilitySource =
  | 'default_tool'
  | 'extra_tool'
  | 'workspace_mcp'
  | 'workspace_skill'
  | 'workspace_command'
  | 'implied_tool';

export type UnavailableReason =
  | 'harness_not_allowed'
  | 'session_kind_not_allowed'
  | 'agent_not_allowed'
  | 'browser_tool_not_staged'
  | 'runtime_tool_not_staged'
  | 'browser_tools_unavailable'
  | 'command_reference_only';

/** A capability that could be offered to a run. */
export interface CapabilityRecord {
  readonly id: string;
  readonly kind: CapabilityKind;
  readonly policy: ToolPolicy;
  readonly title: string;
  readonly description: string;
  /** The name under which the model is offered a tool. */
  readonly callable_name: string;
  /** The path of the SKILL.md of a skill. */
  readonly location?: string;
  readonly source: CapabilitySource;
}

/** What a capability can access. */
export interface AuthorityBoundary {
  readonly filesystem: boolean;
  readonly shell: boolean;
  readonly network: boolean;
  readonly browser: boolean;
  readonly runtime_state: boolean;
}

/** A capability with the result of its evaluation. */
export interface EvaluatedCapability extends CapabilityRecord {
  readonly permission_surface: 'executor' | 'browser' | 'runtime' | 'mcp' | 'workspace';
  readonly execution_mode: 'native' | 'runtime_service' | 'mcp' | 'reference';
  readonly trust_level: 'system' | 'workspace' | 'external';
  readonly execution_semantics: {
    readonly concurrency: 'parallel_safe' | 'serial_only' | 'session_exclusive';
    readonly requires_runtime_service: boolean;
    readonly requires_browser: boolean;
    readonly requires_user_confirmation: boolean;
  };
  readonly authority_boundary: AuthorityBoundary;
  readonly unavailable_reason?: UnavailableReason;
}

/** Names that are reserved for future capabilities. */
export const RESERVED_SURFACES = [
  'mcp_resource',
  'mcp_prompt',
  'mcp_command',
  'plugin_capability',
  'local_capability',
] as const;

/** The capabilities of a run, decided once at its start. */
export interface CapabilityManifest {
  readonly context: {
    readonly harness_id: string;
    readonly session_kind: SessionKind;
    /** Whether the executor has only the tools in the map. Otherwise it has its own tools as well. */
    readonly builtin_tools_narrowed: boolean;
    readonly browser_tools_available: boolean;
    readonly browser_tool_ids: readonly string[];
    readonly runtime_tool_ids: readonly string[];
    readonly workspace_command_ids: readonly string[];
    readonly mcp_server_ids: readonly string[];
    readonly workspace_commands_available: boolean;
    readonly workspace_skills_available: boolean;
    readonly mcp_tools_available: boolean;
  };
  readonly capabilities: readonly EvaluatedCapability[];
  /**
   * Every tool that the run may use: MCP tools by callable name, others by id. Other tools are denied, except for those
   * of servers in `discovered_mcp_servers`.
   */
  readonly tools: Readonly<Record<string, true>>;
  readonly builtin_tools: readonly string[];
  readonly runtime_tools: readonly string[];
  readonly browser_tools: readonly string[];
  readonly mcp_tools: readonly string[];
  readonly custom_tools: readonly string[];
  readonly skills: readonly string[];
  readonly inspect: readonly string[];
  readonly mutate: readonly string[];
  readonly coordinate: readonly string[];
  readonly workspace_commands: readonly string[];
  readonly workspace_skills: readonly string[];
  /** Connected servers (logical ids) whose tools the host discovers. */
  readonly discovered_mcp_servers: readonly string[];
  readonly reserved_surfaces: typeof RESERVED_SURFACES;
  readonly mcp_tool_aliases: readonly McpToolAlias[];
  readonly evaluation: {
    readonly fingerprint: string;
    readonly refresh_behavior: 'run_start_snapshot';
    readonly refresh_summary: string;
  };
  readonly refresh_semantics: {
    readonly evaluation_scope: 'per_run';
    readonly skills_resolved_at: 'run_start';
    readonly commands_resolved_at: 'run_start';
    readonly supports_live_deltas: false;
  };
  /** Hash of the decisions, without names that depend on the machine. */
  readonly fingerprint: string;
}
