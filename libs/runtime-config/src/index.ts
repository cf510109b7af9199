/**
 * Prepares the host request of a stage from a plan and staged contexts. All functions are pure: no files, no
 * environment, no clock, no randomness.
 */
export { canonicalHash, type Json, sha256Hex } from './canonical.ts';
export { agentSkills } from './capability/agent-tools.ts';
export { type McpToolAlias, mcpCallableName, mcpToolAliases } from './capability/callable-names.ts';
export {
  BROWSER_TOOLS,
  DEFAULT_TOOLS,
  RUNTIME_TOOLS,
  SERVED_TOOL_IDS,
  type ToolDefinition,
  type ToolPolicy,
} from './capability/definitions.ts';
export { capabilityManifest } from './capability/manifest.ts';
export { type McpToolAnnotations, mcpToolPolicy } from './capability/mcp-policy.ts';
export type { CapabilityManifest, CapabilitySurface, EvaluatedCapability } from './capability/types.ts';
export { browserSpace } from './contexts/browser-space.ts';
export { estimateTokens, fitBudget } from './contexts/budget.ts';
export { parseOperatorSurface } from './contexts/operator-surface.ts';
export { contextInvalid } from './contexts/problems.ts';
export { type RequestContext, requestContext } from './contexts/request-context.ts';
export { SCRATCHPAD } from './contexts/scratchpad.ts';
export { type ContextBudgets, DEFAULT_CONTEXT_BUDGETS, projectContexts } from './contexts/sections.ts';
export {
  type SessionContexts,
  sessionContexts,
  sessionResume,
  unseenSession,
  withChangedFiles,
} from './contexts/session-contexts.ts';
export type * from './contexts/types.ts';
export { type HarnessCapabilities, normalizeSessionKind, SESSION_KINDS, type SessionKind } from './harness.ts';
export { jsonBytes } from './json-bytes.ts';
export { type AppCaller, appMcpServerPayload } from './mcp/apps.ts';
export { encodeWorkspaceCatalog, workspaceCatalogFingerprint } from './mcp/catalog.ts';
export { mergeMcpServerPayloads } from './mcp/merge.ts';
export {
  effectiveMcpServerPayloads,
  keepKnownPlaceholders,
  type LocalMcpConfig,
  type McpServerPayload,
  type McpSidecar,
  mcpServerPayloads,
  type PlaceholderPolicy,
  type RemoteMcpConfig,
  resolveFromEnvironment,
  withSidecar,
} from './mcp/payloads.ts';
export { environmentNames, fillTemplate, type ParsedValue, parseValue, type ValuePart } from './mcp/placeholders.ts';
export {
  mcpServerIdMap,
  mcpServerMappingMetadata,
  physicalIdOf,
  type ServerIdMap,
  type ServerIdMapping,
  WORKSPACE_SERVER_ID,
  workspacePhysicalId,
} from './mcp/server-ids.ts';
export {
  type ModelEntry,
  type ProviderCatalog,
  type ProviderEntry,
  type ProviderKind,
  type SecretReference,
  secretPlaceholder,
  type Transport,
} from './model/catalog.ts';
export { isProxyClient, type ModelClient, modelClientOf, type ProxyCaller } from './model/client.ts';
export { listsModel, type ModelList } from './model/model-list.ts';
export { requestPriceProblem, type UnpricedModel, unpricedModel } from './model/prices.ts';
export { chooseModel, type ModelChoice, type ModelSource } from './model/select.ts';
export {
  type ConfiguredProvider,
  catalogOfSettings,
  type FoundModels,
  headersWith,
  headerVariables,
  type ModelSettings,
  withFoundModels,
} from './model/settings-catalog.ts';
export { type ModelTarget, resolveModelTarget } from './model/target.ts';
export { parseThinking, type Thinking, type ThinkingLevel } from './model/thinking.ts';
export { unknownProvider } from './model/unknown-provider.ts';
export {
  type OutputFormat,
  resolveOutput,
  type SchemaFiles,
  schemaFileOf,
} from './output/output-format.ts';
export { leadAgent, type ServerPackage } from './plan.ts';
export type { Installation, PrepareStageInput, RequestIdentity, StagedSurfaces } from './prepare/input.ts';
export { type PreparedMcp, prepareMcp } from './prepare/mcp.ts';
export { type RoutedModel, routeModel } from './prepare/model.ts';
export { type PreparedStage, type PrepareStep, prepareStage, type StepRunner } from './prepare/prepare-stage.ts';
export { type AgentRuntimeConfig, type ProjectedConfig, projectAgentRuntimeConfig } from './prepare/runtime-config.ts';
export { type PromptCacheProfile, promptCacheProfile } from './prompt/cache-profile.ts';
export { type ProjectedHistory, projectHistory } from './prompt/history-sections.ts';
export { type ProjectedPrompt, projectPrompt } from './prompt/project.ts';
export {
  type Channel,
  orderSections,
  type PromptLayer,
  type PromptSection,
  type Volatility,
} from './prompt/sections.ts';
export {
  type CacheBreakpoint,
  projectSystemPrompt,
  type SectionDigest,
  type SystemPrompt,
} from './prompt/system-prompt.ts';
export { type SystemPromptInput, systemSections } from './prompt/system-sections.ts';
export { isSecretKey } from './redact/keys.ts';
export { type RedactionRules, redact } from './redact/redact.ts';
export { SHORTEST_LITERAL, secretsIn } from './redact/secrets-in.ts';
export { isPlaceholder, REDACTED, redactUrls, type SecretFinder, secretFinder } from './redact/text.ts';
export { referencePath } from './references/reference-path.ts';
export {
  type Attachment,
  type AttachmentInput,
  MAX_EXTRACTED_CHARS,
  MAX_INLINE_IMAGE_BYTES,
  MAX_TEXT_BYTES,
  normalizeAttachments,
} from './request/attachments.ts';
export { decodeHostRequest } from './request/decode.ts';
export { type FingerprintParts, type HostRequestBody, requestFingerprint } from './request/fingerprint.ts';
export {
  type HostRequest,
  type InvocableSkill,
  type RunStartedPayload,
  WORKSPACE_DIR_PLACEHOLDER,
  type WorkspaceToolsSpec,
} from './request/host-request.ts';
export { type HostValues, type ResolvedHostRequest, resolveHostRequest } from './request/resolve.ts';
export { type TurnRequestSnapshot, turnRequestSnapshot } from './request/snapshot.ts';
export { type Difference, diffJson } from './request/snapshot-diff.ts';
export { inlineImages, type UserPromptOptions, userPromptText } from './request/user-prompt.ts';
export { leadingSlashWords, type WorkspaceCommand } from './skills/commands.ts';
export { type ParsedSkill, parseSkill, type SkillFile, skillText } from './skills/parse.ts';
export {
  invokeSkill,
  isGated,
  type PolicyWidening,
  type SkillPolicy,
  skillPolicy,
  unusedGrants,
} from './skills/policy.ts';
export {
  expandQuotedSkills,
  extractQuotedSkills,
  type QuotedInstruction,
  type QuotedSkills,
  type Skill,
  skillBlock,
} from './skills/quoted.ts';
export { type SelectedSkills, selectSkills } from './skills/select.ts';
export { type StageHistory, stageMarker, VERDICT_SCHEMA } from './stages.ts';
