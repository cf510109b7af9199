/**
 * The plan: the compiled form of one workspace revision. Field names and their order are a contract with the legacy
 * system, so nothing here is renamed. Everything that Reins adds is in `extensions`.
 */
import type { Stage } from '@reins/contracts';

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

/** Ordered pairs, which keep the author's order of headers and variables. */
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

/** Where the package of a server comes from. */
export type PackageRegistry = 'npm' | 'pypi';

/** The package of a local server: one version of it, which a host installs. */
export interface ServerPackage {
  readonly registry: PackageRegistry;
  readonly name: string;
  readonly version: string;
  /** The hash of the package: `sha512-…` for npm, `sha256:…` for PyPI. */
  readonly integrity?: string;
}

export interface McpToolRef {
  readonly tool_id: string;
  readonly server_id: string;
  readonly tool_name: string;
}

/** A tool of the workspace's own MCP server: an exported function of a module in the workspace. */
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
  /** SHA-256 of the bytes of workspace.yaml only. `inputs_checksum` of the result covers all inputs. */
  readonly config_checksum: string;
  readonly resolved_applications: readonly ResolvedApplicationRuntime[];
  readonly mcp_tool_allowlist: readonly string[];
  /** The Reins extensions. Absent when the workspace uses none of them: read them through `extensionsOf`. */
  readonly extensions?: PlanExtensions;
}

export interface PlanPipeline {
  readonly stages: readonly Stage[];
  /** How often `execute` may run before the run has to finish. */
  readonly max_iterations: number;
  /** Instructions of individual stages, from `stages/<stage>.md`. */
  readonly instructions: Readonly<Partial<Record<Stage, string>>>;
}

export interface PlanRuntimeProfile {
  readonly default?: string;
  readonly stages: Readonly<Partial<Record<Stage, string>>>;
}

/** What the run must produce. */
export interface PlanOutput {
  /** A JSON Schema that the final output must satisfy. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Paths or globs of the artifacts that the run produces in the workspace. */
  readonly artifacts: readonly string[];
}

/** Limits of one run. This version enforces only tokens and cost. */
export interface PlanBudgets {
  readonly max_tokens?: number;
  readonly max_cost_usd?: number;
  readonly max_duration_s?: number;
  readonly max_tool_calls?: number;
  readonly on_exceeded: 'pause' | 'fail';
}

/** How runs use the memory of one scope. */
export interface PlanMemory {
  readonly scope: 'user' | 'workspace' | 'agent' | 'session';
  /** Maximum number of recalled records. */
  readonly limit: number;
  /** Maximum tokens of the recalled records in the prompt, estimated. */
  readonly max_tokens: number;
}

/** How a run reports its progress to people. */
export interface PlanRuntime {
  readonly narration: { readonly enabled: boolean; readonly provider: string; readonly style?: string };
  /** Event types that the CLI shows, or patterns (`runtime.tool.*`, `*`). */
  readonly cli_events: readonly string[];
}

/** An edge from one node of a graph to another. `START` and `END` are the two ends of the graph. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** A condition that the backend of the graph evaluates. */
  readonly when?: string;
}

export interface InventoryAgent {
  readonly name: string;
  readonly description: string | null;
  /** The runtime of the agent. */
  readonly backend: string | null;
  /** The name of an entry of `models`. */
  readonly model: string;
  /** Names of `tools`, of `skills` and of `agents`. */
  readonly tools: readonly string[];
  readonly skills: readonly string[];
  readonly subagents: readonly string[];
  readonly edges: readonly GraphEdge[];
  /** Passed to the backend unchanged. */
  readonly config: Readonly<Record<string, unknown>>;
}

export interface InventoryModel {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export type InventoryToolType = 'module' | 'mcp' | 'builtin';

export interface InventoryTool {
  readonly name: string;
  readonly type: InventoryToolType;
  /** The id of the tool in a run: `workspace.<name>`, `server.tool`, or the name of a built-in tool. */
  readonly tool_id: string;
  readonly description: string | null;
  /** Whether the tool is gated. */
  readonly approval: boolean;
}

export interface InventorySkill {
  readonly name: string;
  readonly path: string;
}

export interface InventoryWorkflow {
  readonly name: string;
  readonly description: string | null;
  readonly nodes: readonly { readonly id: string; readonly kind: 'agent' | 'tool' | 'skill'; readonly name: string }[];
  readonly edges: readonly GraphEdge[];
}

/** A document that is copied to the plan and only partly interpreted: memory, protocols, policies. */
export interface InventoryDocument {
  readonly name: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

export interface InventoryRuntime {
  readonly default_agent: string;
  /** The runtime of all agents, if `runtime_profile` of the Runtime document names one. */
  readonly default_runtime?: string;
  /** Route id → name of a workflow. */
  readonly routes: Readonly<Record<string, string>>;
  /** Configuration by runtime id, passed on unchanged. */
  readonly adapters: Readonly<Record<string, unknown>>;
  readonly protocols: Readonly<Record<string, unknown>>;
  readonly progress: Readonly<Record<string, unknown>>;
  readonly cli: Readonly<Record<string, unknown>>;
}

/** What a workspace of Kubernetes-style documents declares. */
export interface CompiledWorkspaceInventory {
  readonly runtime: InventoryRuntime;
  readonly agents: readonly InventoryAgent[];
  readonly models: readonly InventoryModel[];
  readonly tools: readonly InventoryTool[];
  readonly workflows: readonly InventoryWorkflow[];
  readonly skills: readonly InventorySkill[];
  readonly memory: readonly InventoryDocument[];
  readonly protocols: readonly InventoryDocument[];
  readonly policies: readonly InventoryDocument[];
}

export interface PlanExtensions {
  /** Present when the workspace is written as an inventory. */
  readonly inventory?: CompiledWorkspaceInventory;
  readonly pipeline?: PlanPipeline;
  readonly runtime_profile?: PlanRuntimeProfile;
  readonly output?: PlanOutput;
  /** Tools, or patterns (`github.*`), that a run must not call unless a selected skill grants them. */
  readonly gated_tools?: readonly string[];
  /** Servers and applications, by logical id, without which a run must not continue. */
  readonly required_servers?: readonly string[];
  readonly budgets?: PlanBudgets;
  readonly memory?: readonly PlanMemory[];
  readonly runtime?: PlanRuntime;
  /**
   * The packages of local servers, by server id. `command` of such a server is empty, or a program of the package and
   * its arguments.
   */
  readonly server_packages?: Readonly<Record<string, ServerPackage>>;
  /** The local servers that all requests of the workspace share. The others have a process for each request. */
  readonly shared_servers?: readonly string[];
  /** `<path>#<export>`: the process that handles requests of the workspace instead of the built-in pipeline. */
  readonly process?: string;
}

/** The extensions with all defaults. The default pipeline consists of `execute` only. */
export interface EffectiveExtensions {
  readonly inventory?: CompiledWorkspaceInventory;
  readonly pipeline: PlanPipeline;
  readonly runtime_profile: PlanRuntimeProfile;
  readonly output: PlanOutput;
  readonly gated_tools: readonly string[];
  readonly required_servers: readonly string[];
  readonly budgets: PlanBudgets;
  readonly runtime: PlanRuntime;
}

const DEFAULTS: EffectiveExtensions = {
  pipeline: { stages: ['execute'], max_iterations: 3, instructions: {} },
  runtime_profile: { stages: {} },
  output: { artifacts: [] },
  gated_tools: [],
  required_servers: [],
  budgets: { on_exceeded: 'fail' },
  runtime: { narration: { enabled: false, provider: 'template' }, cli_events: ['runtime.progress.narration'] },
};

/** The extensions of a plan, with defaults. */
export function extensionsOf(plan: CompiledWorkspaceRuntimePlan): EffectiveExtensions {
  return { ...DEFAULTS, ...plan.extensions };
}
