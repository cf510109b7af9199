import type { Stage } from '@reins/contracts';
import type { McpToolAnnotations } from '../capability/mcp-policy.ts';
import type { ContextBudgets } from '../contexts/sections.ts';
import type { StageContexts } from '../contexts/types.ts';
import type { HarnessCapabilities } from '../harness.ts';
import type { McpServerPayload, McpSidecar } from '../mcp/payloads.ts';
import type { ProviderCatalog } from '../model/catalog.ts';
import type { SchemaFiles } from '../output/output-format.ts';
import type { CompiledWorkspaceRuntimePlan } from '../plan.ts';
import type { AttachmentInput } from '../request/attachments.ts';
import type { WorkspaceCommand } from '../skills/commands.ts';
import type { Skill } from '../skills/quoted.ts';
import type { StageHistory } from '../stages.ts';

/** The identity of a request. */
export interface RequestIdentity {
  readonly workspaceId: string;
  readonly sessionId: string;
  /** The request id, which is also the run id and the `input_id` of the host request. */
  readonly requestId: string;
  readonly sessionKind?: string | null;
  /** The name of the API key that submitted the request. */
  readonly actor?: string | null;
  readonly debug?: boolean;
  /** Lets the run access files outside its folder. Only an explicit field of the request sets it. */
  readonly boundaryOverride?: boolean;
}

/**
 * The configuration that all requests of an installation share. It must be immutable. Pass the same object to every
 * call, because derived values are cached by its identity.
 */
export interface Installation {
  readonly sandboxId: string;
  /** Names of the environment variables that hosts can resolve. */
  readonly environmentNames: ReadonlySet<string>;
  readonly providers: ProviderCatalog;
  readonly defaultTools?: readonly string[];
  readonly extraTools?: readonly string[];
  readonly runtimeApiBaseUrl?: string | null;
  readonly timeoutSeconds?: number;
  readonly outputRetries?: number;
  readonly contextBudgets?: Partial<ContextBudgets>;
}

/** The capabilities that were staged for this run. Absent fields are not available. */
export interface StagedSurfaces {
  readonly skills?: readonly Skill[];
  /** The skills whose SKILL.md is that of the workspace's revision or of the installation. Only they can open gates. */
  readonly unchangedSkillIds?: readonly string[];
  readonly commandIds?: readonly string[];
  /** The commands that the instruction names, for every harness: their texts become part of the instruction. */
  readonly invokedCommands?: readonly WorkspaceCommand[];
  readonly runtimeToolIds?: readonly string[];
  /** The browser tools. Without `space`, the operator surface determines whose browser is used. */
  readonly browser?: { readonly toolIds: readonly string[]; readonly space?: 'agent' | 'user' | null };
  readonly sidecar?: McpSidecar;
  readonly appServers?: readonly McpServerPayload[];
  /** Annotations of MCP tools from previous connections, by logical tool id. */
  readonly mcpAnnotations?: Readonly<Record<string, McpToolAnnotations>>;
  readonly schemas?: SchemaFiles;
}

/** The complete input of a stage's host request. */
export interface PrepareStageInput {
  readonly plan: CompiledWorkspaceRuntimePlan;
  readonly request: RequestIdentity;
  readonly installation: Installation;
  readonly stage: Stage;
  /** Starts at 1. */
  readonly iteration: number;
  readonly runtimeId: string;
  readonly harness: HarnessCapabilities;
  /** The unmodified message of the user. */
  readonly instruction: string;
  readonly selectedModel?: string | null;
  readonly thinkingValue?: string | null;
  readonly attachments?: readonly AttachmentInput[];
  /** The JSON Schema that the request gives for its output. It replaces that of the workspace. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | null;
  readonly history?: StageHistory;
  readonly contexts?: StageContexts;
  /** Replaces history and contexts if the executor continues a session that has the rest. */
  readonly continued?: Pick<PrepareStageInput, 'history' | 'contexts'>;
  readonly surfaces?: StagedSurfaces;
  /** The session of the executor to resume, if the session has one for this runtime. */
  readonly harnessSessionId?: string | null;
  /** The tree from which the stage starts. */
  readonly inputTree?: string | null;
  /** Known secret values, which are removed from the snapshot. Pass the same list to every call. */
  readonly secrets?: readonly string[];
}
