import type { CapabilityManifest } from '../capability/types.ts';
import { CAPABILITY_TEXT } from './texts/capabilities.ts';

/**
 * The prompt text about the tools of a run. It follows only from the manifest, so that it never promises unavailable
 * tools. Servers with named tools, servers with discovered tools, and a mix of both are described differently.
 */
export function capabilityText(manifest: CapabilityManifest, gatedTools: readonly string[]): string {
  const runtime = (prefix: string): boolean => manifest.runtime_tools.some((id) => id.startsWith(prefix));
  const lines = [
    CAPABILITY_TEXT.intro,
    toolLine(manifest),
    ...mcpLines(manifest),
    ...(manifest.skills.length > 0 ? [fill(CAPABILITY_TEXT.skills, { skills: list(manifest.skills) })] : []),
    ...(manifest.workspace_commands.length > 0
      ? [fill(CAPABILITY_TEXT.commands, { commands: list(manifest.workspace_commands) })]
      : []),
    ...(manifest.browser_tools.length > 0 ? [CAPABILITY_TEXT.browser] : []),
    ...(runtime('terminal_session') ? [CAPABILITY_TEXT.terminal] : []),
    ...(runtime('holaboss_cronjobs') ? [CAPABILITY_TEXT.cronjobs] : []),
    ...(runtime('download_url') ? [CAPABILITY_TEXT.downloads] : []),
    ...(gatedTools.length > 0 ? [fill(CAPABILITY_TEXT.gated, { tools: list(gatedTools) })] : []),
  ];
  return lines.join('\n');
}

function toolLine(manifest: CapabilityManifest): string {
  const { inspect, mutate, coordinate } = manifest;
  if (inspect.length + mutate.length + coordinate.length === 0) return CAPABILITY_TEXT.noTools;
  return fill(CAPABILITY_TEXT.tools, { inspect: list(inspect), mutate: list(mutate), coordinate: list(coordinate) });
}

function mcpLines(manifest: CapabilityManifest): readonly string[] {
  const named = manifest.mcp_tools;
  const discovered = manifest.discovered_mcp_servers;
  if (named.length === 0 && discovered.length === 0) return [CAPABILITY_TEXT.mcpNone];
  return [
    ...(named.length > 0 ? [fill(CAPABILITY_TEXT.mcpExplicit, { tools: list(named) })] : []),
    ...(discovered.length > 0 ? [fill(CAPABILITY_TEXT.mcpDiscovered, { servers: list(discovered) })] : []),
    ...(named.length > 0 && discovered.length > 0 ? [CAPABILITY_TEXT.mcpMixed] : []),
  ];
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
