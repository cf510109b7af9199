import { canonicalHash } from '../canonical.ts';
import { mcpToolAliases } from './callable-names.ts';
import { collectCapabilities } from './collect.ts';
import type { ToolPolicy } from './definitions.ts';
import { evaluateCapability } from './evaluate.ts';
import {
  type CapabilityKind,
  type CapabilityManifest,
  type CapabilitySurface,
  type EvaluatedCapability,
  RESERVED_SURFACES,
} from './types.ts';

const REFRESH = {
  evaluation_scope: 'per_run',
  skills_resolved_at: 'run_start',
  commands_resolved_at: 'run_start',
  supports_live_deltas: false,
} as const;

/**
 * Decides which capabilities a run has. Deterministic: the same surface gives the same manifest, with the same
 * fingerprint on any machine.
 */
export function capabilityManifest(surface: CapabilitySurface): CapabilityManifest {
  const aliases = surface.harness.mcpTools ? mcpToolAliases(surface.mcpToolRefs) : [];
  const capabilities = collectCapabilities(surface, aliases).map((record) => evaluateCapability(record, surface));
  const available = capabilities.filter((capability) => capability.unavailable_reason === undefined);
  const callable = available.filter(isTool);
  const ofKind = (kind: CapabilityKind): readonly string[] => idsOf(available, (item) => item.kind === kind);
  const ofPolicy = (policy: ToolPolicy): readonly string[] => idsOf(callable, (item) => item.policy === policy);
  const discovered = discoveredServers(surface);
  const fingerprint = fingerprintOf(surface, capabilities, discovered);
  return {
    context: contextOf(surface),
    capabilities,
    tools: Object.fromEntries(callable.map((item) => [requestNameOf(item), true as const])),
    builtin_tools: ofKind('builtin_tool'),
    runtime_tools: ofKind('runtime_tool'),
    browser_tools: ofKind('browser_tool'),
    mcp_tools: ofKind('mcp_tool'),
    custom_tools: ofKind('custom_tool'),
    skills: ofKind('skill'),
    inspect: ofPolicy('inspect'),
    mutate: ofPolicy('mutate'),
    coordinate: ofPolicy('coordinate'),
    workspace_commands: surface.workspaceCommandIds,
    workspace_skills: surface.workspaceSkillIds,
    discovered_mcp_servers: discovered,
    reserved_surfaces: RESERVED_SURFACES,
    mcp_tool_aliases: aliases,
    evaluation: {
      fingerprint,
      refresh_behavior: 'run_start_snapshot',
      refresh_summary: 'decided when the run is prepared; what changes later is seen by the next run',
    },
    refresh_semantics: REFRESH,
    fingerprint,
  };
}

/** The name of a tool in the map: executors translate the ids of their own tools themselves. */
const requestNameOf = ({ kind, id, callable_name }: EvaluatedCapability): string =>
  kind === 'mcp_tool' ? callable_name : id;

function isTool(capability: EvaluatedCapability): boolean {
  return capability.kind !== 'skill' && capability.kind !== 'command';
}

function idsOf(
  capabilities: readonly EvaluatedCapability[],
  matches: (capability: EvaluatedCapability) => boolean,
): readonly string[] {
  return capabilities.filter(matches).map((capability) => capability.id);
}

function discoveredServers(surface: CapabilitySurface): readonly string[] {
  if (!surface.harness.mcpTools) return [];
  const named = new Set(surface.mcpToolRefs.map((ref) => ref.server_id));
  return surface.mcpServers.filter((server) => !named.has(server.physical)).map((server) => server.logical);
}

function contextOf(surface: CapabilitySurface): CapabilityManifest['context'] {
  return {
    harness_id: surface.runtimeId,
    session_kind: surface.sessionKind,
    builtin_tools_narrowed: surface.harness.toolSelection !== false,
    browser_tools_available: surface.browserAvailable,
    browser_tool_ids: surface.browserToolIds,
    runtime_tool_ids: surface.runtimeToolIds,
    workspace_command_ids: surface.workspaceCommandIds,
    mcp_server_ids: surface.harness.mcpTools ? surface.mcpServers.map((server) => server.physical) : [],
    workspace_commands_available: surface.workspaceCommandIds.length > 0,
    workspace_skills_available: surface.workspaceSkillIds.length > 0,
    mcp_tools_available: surface.harness.mcpTools && (surface.mcpToolRefs.length > 0 || surface.mcpServers.length > 0),
  };
}

/** Callable names and server ids of MCP tools depend on the machine; tool ids do not. */
function fingerprintOf(
  surface: CapabilitySurface,
  capabilities: readonly EvaluatedCapability[],
  discovered: readonly string[],
): string {
  return canonicalHash({
    context: { ...contextOf(surface), mcp_server_ids: surface.mcpServers.map((server) => server.logical) },
    capabilities: capabilities.map((item) => (item.kind === 'mcp_tool' ? { ...item, callable_name: item.id } : item)),
    discovered,
    reserved_surfaces: RESERVED_SURFACES,
    refresh_semantics: REFRESH,
  });
}
