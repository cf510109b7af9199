import { callablePrefix } from '../capability/callable-names.ts';
import type { ToolPolicy } from '../capability/definitions.ts';
import { isWithheld, type NamedServer, offeredName } from '../capability/prompt-names.ts';
import type { CapabilityManifest, EvaluatedCapability } from '../capability/types.ts';
import { SCRATCHPAD } from '../contexts/scratchpad.ts';
import { CAPABILITY_TEXT } from './texts/capabilities.ts';

/** What the text about the tools of a run follows from. */
export interface CapabilityTextInput {
  readonly manifest: CapabilityManifest;
  readonly gatedTools: readonly string[];
  /** Every connected server. */
  readonly servers: readonly NamedServer[];
}

/**
 * The prompt text about the tools of a run, with the names that the model is offered. It follows only from the manifest,
 * so that it never promises unavailable tools. Servers with named tools, servers with discovered tools, and a mix of both
 * are described differently.
 */
export function capabilityText(input: CapabilityTextInput): string {
  const { manifest, gatedTools } = input;
  const runtime = (prefix: string): boolean => manifest.runtime_tools.some((id) => id.startsWith(prefix));
  const lines = [
    CAPABILITY_TEXT.intro,
    toolLine(input),
    ...mcpLines(input),
    ...(manifest.skills.length > 0 ? [fill(CAPABILITY_TEXT.skills, { skills: skillLines(manifest) })] : []),
    ...(manifest.workspace_commands.length > 0
      ? [fill(CAPABILITY_TEXT.commands, { commands: list(manifest.workspace_commands) })]
      : []),
    ...(writesFiles(input) ? [fill(CAPABILITY_TEXT.scratchpad, { path: SCRATCHPAD })] : []),
    ...(manifest.browser_tools.length > 0 ? [CAPABILITY_TEXT.browser] : []),
    ...(runtime('terminal_session') ? [CAPABILITY_TEXT.terminal] : []),
    ...(runtime('holaboss_cronjobs') ? [CAPABILITY_TEXT.cronjobs] : []),
    ...(runtime('download_url') ? [CAPABILITY_TEXT.downloads] : []),
    ...(gatedTools.length > 0 ? [gatedLine(input)] : []),
  ];
  return lines.join('\n');
}

const MAX_DESCRIPTION = 400;

function skillLines({ capabilities, skills }: CapabilityManifest): string {
  const known = capabilities.filter(({ kind, id }) => kind === 'skill' && skills.includes(id));
  return known.map(({ id, location, description }) => skillLine(id, location, description)).join('\n');
}

function skillLine(id: string, location: string | undefined, description: string): string {
  const path = location === undefined ? '' : ` (${location})`;
  const text = description.replace(/\s+/g, ' ').slice(0, MAX_DESCRIPTION);
  return `  - ${id}${path}${text === '' ? '' : `: ${text}`}`;
}

/** The tools that the model is offered. */
function offeredTools({ manifest, gatedTools }: CapabilityTextInput): readonly EvaluatedCapability[] {
  return manifest.capabilities.filter(
    (item) =>
      item.unavailable_reason === undefined &&
      item.kind !== 'skill' &&
      item.kind !== 'command' &&
      !isWithheld(item, gatedTools),
  );
}

/** Whether a tool of the executor can write a file of the tree. */
function writesFiles(input: CapabilityTextInput): boolean {
  return offeredTools(input).some(
    ({ kind, policy, authority_boundary }) =>
      kind === 'builtin_tool' && policy === 'mutate' && authority_boundary.filesystem,
  );
}

function toolLine(input: CapabilityTextInput): string {
  const offered = offeredTools(input);
  if (offered.length === 0) return CAPABILITY_TEXT.noTools;
  const names = (policy: ToolPolicy): string =>
    list(offered.filter((item) => item.policy === policy).map((item) => item.callable_name));
  const [inspect, mutate, coordinate] = [names('inspect'), names('mutate'), names('coordinate')];
  return fill(CAPABILITY_TEXT.tools, { inspect, mutate, coordinate });
}

function mcpLines({ manifest, servers }: CapabilityTextInput): readonly string[] {
  const named = manifest.mcp_tool_aliases.map((alias) => alias.callable_name);
  const discovered = manifest.discovered_mcp_servers;
  if (named.length === 0 && discovered.length === 0) return [CAPABILITY_TEXT.mcpNone];
  const prefixes = servers
    .filter(({ logical }) => discovered.includes(logical))
    .map(({ physical }) => callablePrefix(physical));
  return [
    ...(named.length > 0 ? [fill(CAPABILITY_TEXT.mcpExplicit, { tools: list(named) })] : []),
    ...(discovered.length > 0
      ? [fill(CAPABILITY_TEXT.mcpDiscovered, { servers: list(discovered), prefixes: list(prefixes) })]
      : []),
    ...(named.length > 0 && discovered.length > 0 ? [CAPABILITY_TEXT.mcpMixed] : []),
  ];
}

function gatedLine({ manifest, gatedTools, servers }: CapabilityTextInput): string {
  const names = { capabilities: manifest.capabilities, aliases: manifest.mcp_tool_aliases, servers };
  return fill(CAPABILITY_TEXT.gated, { tools: list(gatedTools.map((id) => offeredName(id, names))) });
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
