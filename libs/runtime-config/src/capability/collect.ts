import type { McpToolAlias } from './callable-names.ts';
import { isBrowserTool, isRuntimeTool, knownTool } from './definitions.ts';
import { mcpToolPolicy } from './mcp-policy.ts';
import type { CapabilityKind, CapabilityRecord, CapabilitySource, CapabilitySurface } from './types.ts';

/** Returns every capability that is offered to a run, without duplicates, in the order of the offers. */
export function collectCapabilities(
  surface: CapabilitySurface,
  aliases: readonly McpToolAlias[],
): readonly CapabilityRecord[] {
  const records = new Map<string, CapabilityRecord>();
  const tool = (id: string, source: CapabilitySource): CapabilityRecord => toolRecord(id, source, surface);
  const add = (record: CapabilityRecord): void => {
    if (!records.has(record.callable_name)) records.set(record.callable_name, record);
  };
  for (const id of surface.defaultTools) add(tool(id, 'default_tool'));
  for (const id of surface.extraTools) add(tool(id, 'extra_tool'));
  for (const id of surface.browserToolIds) if (isBrowserTool(id)) add(tool(id, 'extra_tool'));
  for (const id of surface.runtimeToolIds) if (isRuntimeTool(id)) add(tool(id, 'extra_tool'));
  // A run with skills must be able to find and read them.
  if (surface.workspaceSkillIds.length > 0) for (const id of ['read', 'skill']) add(tool(id, 'implied_tool'));
  for (const alias of aliases) add(mcpRecord(alias, surface));
  for (const id of surface.workspaceSkillIds) add(skillRecord(id, surface));
  for (const id of surface.workspaceCommandIds) add(namedRecord(id, 'command', 'workspace_command'));
  return [...records.values()];
}

function toolRecord(id: string, source: CapabilitySource, { harness }: CapabilitySurface): CapabilityRecord {
  const known = knownTool(id);
  return {
    id,
    kind: kindOf(id, known !== undefined),
    policy: known?.policy ?? 'mutate',
    title: titleOf(id),
    description: known?.description ?? '',
    callable_name: nativeNameOf(id, harness),
    source,
  };
}

/** The name under which the model is offered a tool of its executor. */
function nativeNameOf(id: string, { nativeToolNames = {} }: CapabilitySurface['harness']): string {
  return (Object.hasOwn(nativeToolNames, id) && nativeToolNames[id]) || id;
}

function kindOf(id: string, known: boolean): CapabilityKind {
  if (isBrowserTool(id)) return 'browser_tool';
  if (isRuntimeTool(id)) return 'runtime_tool';
  return known ? 'builtin_tool' : 'custom_tool';
}

function mcpRecord(alias: McpToolAlias, surface: CapabilitySurface): CapabilityRecord {
  const annotations = Object.hasOwn(surface.mcpAnnotations, alias.tool_id)
    ? surface.mcpAnnotations[alias.tool_id]
    : undefined;
  return {
    id: alias.tool_id,
    kind: 'mcp_tool',
    policy: mcpToolPolicy(alias.tool_name, annotations),
    title: titleOf(alias.tool_name),
    description: '',
    callable_name: alias.callable_name,
    source: 'workspace_mcp',
  };
}

function skillRecord(id: string, { skillTexts = {} }: CapabilitySurface): CapabilityRecord {
  return { ...namedRecord(id, 'skill', 'workspace_skill'), ...(Object.hasOwn(skillTexts, id) && skillTexts[id]) };
}

function namedRecord(id: string, kind: 'skill' | 'command', source: CapabilitySource): CapabilityRecord {
  return {
    id,
    kind,
    policy: 'coordinate',
    title: titleOf(id),
    description: '',
    callable_name: `${kind}:${id}`,
    source,
  };
}

/** `create_post` → `Create post`. */
function titleOf(id: string): string {
  const words = id.replace(/[_\-.]+/g, ' ').trim();
  return words === '' ? id : words.charAt(0).toUpperCase() + words.slice(1);
}
