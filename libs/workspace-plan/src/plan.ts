/**
 * The plan: the runtime-owned interpretation of one workspace revision. Field names and their order are a contract with
 * installations that migrate, so nothing here is renamed, and what Reins adds stands in `extensions` alone.
 */

/** One agent of the workspace. */
export interface PlanMember {
  readonly id: string;
  readonly model: string;
  readonly prompt: string;
  readonly config_path: string;
  readonly role: string | null;
  readonly schema_id: string | null;
  readonly schema_module_path: string | null;
}

export interface SingleConfig {
  readonly type: 'single';
  readonly agent: PlanMember;
}

export interface TeamConfig {
  readonly type: 'team';
  readonly coordinator: PlanMember;
  readonly members: readonly PlanMember[];
}

export type McpServerType = 'local' | 'remote';

/** Ordered pairs, because the order of headers and of variables is the author's. */
export type PlanPairs = readonly (readonly [name: string, value: string])[];

export interface ResolvedMcpServer {
  readonly server_id: string;
  readonly type: McpServerType;
  readonly command: readonly string[];
  readonly url: string | null;
  readonly headers: PlanPairs;
  readonly environment: PlanPairs;
  readonly timeout_ms: number;
}

export interface McpToolRef {
  readonly tool_id: string;
  readonly server_id: string;
  readonly tool_name: string;
}

/** A tool of the workspace's own MCP server: a function of one of its modules. */
export interface CatalogTool {
  readonly tool_id: string;
  readonly tool_name: string;
  readonly module_path: string;
  readonly symbol_name: string;
}

export const CREDENTIAL_SOURCES = ['platform', 'manual', 'broker'] as const;
export type CredentialSource = (typeof CREDENTIAL_SOURCES)[number];

export interface ApplicationIntegration {
  readonly key: string;
  readonly provider: string;
  readonly capability: string | null;
  readonly scopes: readonly string[];
  readonly required: boolean;
  readonly credentialSource: CredentialSource;
  readonly holabossUserIdRequired: boolean;
}

export interface ResolvedApplicationRuntime {
  readonly app_id: string;
  readonly mcp: { readonly transport: string; readonly port: number; readonly path: string };
  readonly health_check: {
    readonly target: 'mcp' | 'api';
    readonly path: string;
    readonly timeout_s: number;
    readonly interval_s: number;
  };
  readonly env_contract: readonly string[];
  /** Absent when the manifest declares none. */
  readonly integrations?: readonly ApplicationIntegration[];
  readonly start_command: string;
  readonly base_dir: string;
  readonly lifecycle: { readonly setup: string; readonly start: string; readonly stop: string };
}

export interface CompiledWorkspaceRuntimePlan {
  readonly workspace_id: string;
  readonly mode: 'single' | 'team';
  readonly general_config: SingleConfig | TeamConfig;
  readonly schema_aliases: Readonly<Record<string, string>>;
  readonly resolved_prompts: Readonly<Record<string, string>>;
  readonly resolved_mcp_servers: readonly ResolvedMcpServer[];
  readonly resolved_mcp_tool_refs: readonly McpToolRef[];
  readonly workspace_mcp_catalog: readonly CatalogTool[];
  /** SHA-256 of the bytes of workspace.yaml alone. For the sum over every input see `inputs_checksum` of the result. */
  readonly config_checksum: string;
  readonly resolved_applications: readonly ResolvedApplicationRuntime[];
  readonly mcp_tool_allowlist: readonly string[];
  /** What Reins adds. Absent when the workspace uses none of it: read it through `extensionsOf`. */
  readonly extensions?: PlanExtensions;
}

/** The stages of a pipeline, a closed list. */
export const STAGES = ['interview', 'execute', 'evaluate', 'reflect'] as const;
export type Stage = (typeof STAGES)[number];

export interface PlanPipeline {
  readonly stages: readonly Stage[];
  /** How often `execute` may be entered before the run has to converge. */
  readonly max_iterations: number;
  /** Instructions of single stages, from `stages/<stage>.md`. */
  readonly instructions: Readonly<Partial<Record<Stage, string>>>;
}

export interface PlanRuntimeProfile {
  readonly default?: string;
  readonly stages: Readonly<Partial<Record<Stage, string>>>;
}

/** What the run has to leave behind. */
export interface PlanOutput {
  /** A JSON Schema that the final output has to satisfy. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Paths or globs in the workspace that are the run's artifacts. */
  readonly artifacts: readonly string[];
}

/** Limits of one run; an absent one does not limit. */
export interface PlanBudgets {
  readonly max_tokens?: number;
  readonly max_cost_usd?: number;
  readonly max_duration_s?: number;
  readonly max_tool_calls?: number;
  readonly on_exceeded: 'pause' | 'fail';
}

export interface PlanExtensions {
  readonly pipeline?: PlanPipeline;
  readonly runtime_profile?: PlanRuntimeProfile;
  readonly output?: PlanOutput;
  /** Tools, or patterns (`github.*`), that a person has to approve before each call. */
  readonly gated_tools?: readonly string[];
  readonly budgets?: PlanBudgets;
}

/** The extensions with every default filled in: no pipeline given is `execute` alone. */
export interface EffectiveExtensions {
  readonly pipeline: PlanPipeline;
  readonly runtime_profile: PlanRuntimeProfile;
  readonly output: PlanOutput;
  readonly gated_tools: readonly string[];
  readonly budgets: PlanBudgets;
}

const DEFAULTS: EffectiveExtensions = {
  pipeline: { stages: ['execute'], max_iterations: 3, instructions: {} },
  runtime_profile: { stages: {} },
  output: { artifacts: [] },
  gated_tools: [],
  budgets: { on_exceeded: 'fail' },
};

/** How a run of this plan behaves, defaults included. */
export function extensionsOf(plan: CompiledWorkspaceRuntimePlan): EffectiveExtensions {
  return { ...DEFAULTS, ...plan.extensions };
}
