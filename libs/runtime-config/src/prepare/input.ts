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
import type { Skill } from '../skills/quoted.ts';
import type { StageHistory } from '../stages.ts';

/** Whose work a stage is. */
export interface RequestIdentity {
  readonly workspaceId: string;
  readonly sessionId: string;
  /** The request, which is its run and, in the words of a host request, its input. */
  readonly requestId: string;
  readonly sessionKind?: string | null;
  readonly debug?: boolean;
  /** Lets the run leave its folder. Only an explicit field of the request says so. */
  readonly boundaryOverride?: boolean;
}

/**
 * What is the same for all requests of an installation. Hand the same object to every call: what follows from it is remembered by
 * its identity, so it is not changed after it was handed over.
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

/** What was staged for this run. Absent parts are not there. */
export interface StagedSurfaces {
  readonly skills?: readonly Skill[];
  readonly commandIds?: readonly string[];
  readonly runtimeToolIds?: readonly string[];
  /** Whose browser is meant follows from the operator surface where it is not said. */
  readonly browser?: { readonly toolIds: readonly string[]; readonly space?: 'agent' | 'user' | null };
  readonly sidecar?: McpSidecar;
  readonly appServers?: readonly McpServerPayload[];
  /** What MCP servers said about their tools when they were last seen, by logical tool id. */
  readonly mcpAnnotations?: Readonly<Record<string, McpToolAnnotations>>;
  readonly schemas?: SchemaFiles;
}

/** Everything that a stage's host request follows from. */
export interface PrepareStageInput {
  readonly plan: CompiledWorkspaceRuntimePlan;
  readonly request: RequestIdentity;
  readonly installation: Installation;
  readonly stage: Stage;
  /** From 1. */
  readonly iteration: number;
  readonly runtimeId: string;
  readonly harness: HarnessCapabilities;
  /** The user's words, as they came. */
  readonly instruction: string;
  readonly selectedModel?: string | null;
  readonly thinkingValue?: string | null;
  readonly attachments?: readonly AttachmentInput[];
  readonly history?: StageHistory;
  readonly contexts?: StageContexts;
  readonly surfaces?: StagedSurfaces;
  /** The executor's own session to go on with, where the session has one for this runtime. */
  readonly harnessSessionId?: string | null;
  /** The tree that the stage starts from. */
  readonly inputTree?: string | null;
  /** Secret values that the caller knows; they are kept out of the snapshot wherever they stand. Hand the same list to every call. */
  readonly secrets?: readonly string[];
}
