import type { Problem, Stage } from '@reins/contracts';
import { agentTools } from '../capability/agent-tools.ts';
import { DEFAULT_TOOLS } from '../capability/definitions.ts';
import { capabilityManifest } from '../capability/manifest.ts';
import type { CapabilityManifest, CapabilitySurface } from '../capability/types.ts';
import { projectContexts } from '../contexts/sections.ts';
import type { ContextOutcome } from '../contexts/types.ts';
import { normalizeSessionKind } from '../harness.ts';
import { markShared } from '../json-bytes.ts';
import { type OutputFormat, resolveOutput } from '../output/output-format.ts';
import { leadAgent, teamMembers } from '../plan.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import { projectHistory } from '../prompt/history-sections.ts';
import { projectPrompt } from '../prompt/project.ts';
import { type Channel, orderSections, type PromptLayer, type PromptSection } from '../prompt/sections.ts';
import { projectSystemPrompt, type SystemPrompt } from '../prompt/system-prompt.ts';
import { systemSections } from '../prompt/system-sections.ts';
import type { PrepareStageInput } from './input.ts';
import type { PreparedMcp } from './mcp.ts';
import { identityOf, memoizePerPlan } from './memo.ts';
import type { RoutedModel } from './model.ts';

/** The complete runtime configuration of an agent, from which the host request is built. */
export interface AgentRuntimeConfig extends RoutedModel {
  readonly mode: string;
  readonly system_prompt: string;
  readonly context_messages: readonly string[];
  readonly continued_context_messages: readonly string[] | null;
  readonly prompt_channel_contents: Readonly<Record<Channel, readonly string[]>>;
  readonly prompt_sections: readonly PromptSection[];
  readonly prompt_layers: readonly PromptLayer[];
  readonly prompt_cache_profile: PromptCacheProfile;
  readonly tools: Readonly<Record<string, true>>;
  readonly workspace_tool_ids: readonly string[];
  readonly workspace_skill_ids: readonly string[];
  readonly output_schema_member_id: string | null;
  readonly output_format: OutputFormat | null;
  readonly output_schema_module: string | null;
  readonly workspace_config_checksum: string;
  readonly capability_manifest: CapabilityManifest;
}

/** A runtime configuration with the outcomes of its contexts and its warnings. */
export interface ProjectedConfig {
  readonly config: AgentRuntimeConfig;
  readonly contexts: readonly ContextOutcome[];
  readonly warnings: readonly Problem[];
}

/** Builds the runtime configuration of one stage from plan, surfaces and contexts. */
export function projectAgentRuntimeConfig(
  input: PrepareStageInput,
  { mcp, model }: { readonly mcp: PreparedMcp; readonly model: RoutedModel },
): ProjectedConfig {
  const { plan, stage, installation, surfaces = {} } = input;
  const manifest = manifestOf(plan, surfaceOf(input, mcp));
  const output = resolveOutput(plan, stage, {
    schemas: surfaces.schemas ?? {},
    requested: input.outputSchema ?? undefined,
    retries: installation.outputRetries,
  });
  const history = projectHistory(input.history ?? {});
  const contexts = projectContexts(input.contexts ?? {}, installation.contextBudgets);
  const prompt = projectPrompt(
    systemPromptOf(plan, { stage, manifest, servers: mcp.names, outputFormat: output.format }),
    [...history.sections, ...contexts.sections],
  );
  return {
    config: {
      ...model,
      mode: plan.mode,
      system_prompt: markShared(prompt.systemPrompt),
      context_messages: prompt.contextMessages,
      continued_context_messages: continuedMessages(input),
      prompt_channel_contents: prompt.channelContents,
      prompt_sections: prompt.sections,
      prompt_layers: prompt.layers,
      prompt_cache_profile: markShared(prompt.cacheProfile),
      tools: manifest.tools,
      workspace_tool_ids: plan.resolved_mcp_tool_refs.map((ref) => ref.tool_id),
      workspace_skill_ids: manifest.workspace_skills,
      output_schema_member_id: output.memberId,
      output_format: output.format,
      output_schema_module: output.module,
      workspace_config_checksum: plan.config_checksum,
      capability_manifest: manifest,
    },
    contexts: contexts.outcomes,
    warnings: [...history.warnings, ...contexts.warnings, ...(output.warning === undefined ? [] : [output.warning])],
  };
}

/** The context messages for an executor that continues its session. */
function continuedMessages({ continued, installation }: PrepareStageInput): readonly string[] | null {
  if (!continued) return null;
  const history = projectHistory(continued.history ?? {});
  const contexts = projectContexts(continued.contexts ?? {}, installation.contextBudgets);
  return orderSections([...history.sections, ...contexts.sections]).map(({ content }) => content);
}

interface SystemPromptArgs {
  readonly stage: Stage;
  readonly manifest: CapabilityManifest;
  readonly servers: PreparedMcp['names'];
  readonly outputFormat: OutputFormat | null;
}

const systemPromptOf = memoizePerPlan(
  ({ stage, manifest, outputFormat }: SystemPromptArgs) =>
    `${stage}/${identityOf(manifest)}/${identityOf(outputFormat?.schema)}`,
  (plan, args): SystemPrompt => {
    const agent = leadAgent(plan);
    const prompts = plan.resolved_prompts;
    return projectSystemPrompt(
      systemSections({
        ...args,
        stageInstructions: plan.extensions?.pipeline?.instructions[args.stage],
        agentPrompt: Object.hasOwn(prompts, agent.id) ? (prompts[agent.id] ?? agent.prompt) : agent.prompt,
        agentRole: agent.role,
        members: teamMembers(plan),
        gatedTools: plan.extensions?.gated_tools ?? [],
      }),
    );
  },
);

function surfaceOf(input: PrepareStageInput, mcp: PreparedMcp): CapabilitySurface {
  const { installation, surfaces = {}, harness } = input;
  return {
    runtimeId: input.runtimeId,
    sessionKind: normalizeSessionKind(input.request.sessionKind),
    harness,
    defaultTools: installation.defaultTools ?? DEFAULT_TOOLS,
    extraTools: installation.extraTools ?? [],
    browserAvailable: surfaces.browser !== undefined,
    browserToolIds: surfaces.browser?.toolIds ?? [],
    runtimeToolIds: surfaces.runtimeToolIds ?? [],
    ...agentToolsOf(input),
    workspaceCommandIds: harness.commands ? (surfaces.commandIds ?? []) : [],
    workspaceSkillIds: (surfaces.skills ?? []).map((skill) => skill.id),
    skillTexts: Object.fromEntries(
      (surfaces.skills ?? []).map(({ id, description, location }) => [id, { description, location }]),
    ),
    mcpToolRefs: mcp.refs,
    mcpServers: mcp.names,
    mcpAnnotations: surfaces.mcpAnnotations ?? {},
  };
}

function agentToolsOf({ plan }: PrepareStageInput): Pick<CapabilitySurface, 'agentTools'> {
  const { withheld, builtin } = agentTools(plan);
  if (withheld.size === 0 && !builtin) return {};
  return { agentTools: { withheld: [...withheld], builtin: builtin ? [...builtin] : null } };
}

/**
 * A cache key of a surface. Servers and references are identical objects while a plan is cached; the rest is small and
 * compared by value.
 */
function surfaceKey(surface: CapabilitySurface): string {
  const { mcpToolRefs, mcpServers, mcpAnnotations, ...rest } = surface;
  const annotated = Object.keys(mcpAnnotations).length > 0 ? identityOf(mcpAnnotations) : 0;
  return `${identityOf(mcpToolRefs)}/${identityOf(mcpServers)}/${annotated}/${JSON.stringify(rest)}`;
}

const manifestOf = memoizePerPlan(surfaceKey, (_plan, surface: CapabilitySurface) => {
  const manifest = markShared(capabilityManifest(surface));
  markShared(manifest.tools);
  return manifest;
});
