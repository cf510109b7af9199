import { SERVED_TOOL_IDS } from './definitions.ts';
import type {
  AuthorityBoundary,
  CapabilityKind,
  CapabilityRecord,
  CapabilitySurface,
  EvaluatedCapability,
  UnavailableReason,
} from './types.ts';

const ONBOARDING_BUILTINS: readonly string[] = ['read', 'grep', 'glob', 'list', 'question', 'skill'];
const ONBOARDING_RUNTIME = /^holaboss_(cronjobs|onboarding)_/;
const SHELL_TOOL = /^(bash|terminal_session)/;
const NETWORK_TOOLS = new Set(['web_search', 'download_url', 'image_generate']);

/** Evaluates one capability: whether the run gets it, and which permissions it has. */
export function evaluateCapability(record: CapabilityRecord, surface: CapabilitySurface): EvaluatedCapability {
  const reason = unavailableReason(record, surface);
  const evaluated: EvaluatedCapability = {
    ...record,
    ...SURFACE_OF_KIND[record.kind],
    execution_semantics: {
      concurrency: concurrencyOf(record),
      requires_runtime_service: record.kind === 'runtime_tool',
      requires_browser: record.kind === 'browser_tool',
      requires_user_confirmation: record.id === 'question',
    },
    authority_boundary: boundaryOf(record),
  };
  return reason === undefined ? evaluated : { ...evaluated, unavailable_reason: reason };
}

const SURFACE_OF_KIND: Readonly<
  Record<CapabilityKind, Pick<EvaluatedCapability, 'permission_surface' | 'execution_mode' | 'trust_level'>>
> = {
  builtin_tool: { permission_surface: 'executor', execution_mode: 'native', trust_level: 'system' },
  custom_tool: { permission_surface: 'executor', execution_mode: 'native', trust_level: 'external' },
  browser_tool: { permission_surface: 'browser', execution_mode: 'runtime_service', trust_level: 'system' },
  runtime_tool: { permission_surface: 'runtime', execution_mode: 'runtime_service', trust_level: 'system' },
  mcp_tool: { permission_surface: 'mcp', execution_mode: 'mcp', trust_level: 'external' },
  skill: { permission_surface: 'workspace', execution_mode: 'reference', trust_level: 'workspace' },
  command: { permission_surface: 'workspace', execution_mode: 'reference', trust_level: 'workspace' },
};

function unavailableReason(record: CapabilityRecord, surface: CapabilitySurface): UnavailableReason | undefined {
  const { harness, sessionKind } = surface;
  const onboarding = sessionKind === 'onboarding';
  switch (record.kind) {
    case 'builtin_tool':
    case 'custom_tool':
      if (harness.builtinTools && !harness.builtinTools.includes(record.id)) return 'harness_not_allowed';
      if (!isForAgent(record, surface)) return 'agent_not_allowed';
      return onboarding && !ONBOARDING_BUILTINS.includes(record.id) ? 'session_kind_not_allowed' : undefined;
    case 'browser_tool':
      if (!harness.browserTools) return 'harness_not_allowed';
      if (onboarding || sessionKind === 'task_proposal') return 'session_kind_not_allowed';
      if (!surface.browserAvailable) return 'browser_tools_unavailable';
      return surface.browserToolIds.includes(record.id) ? undefined : 'browser_tool_not_staged';
    case 'runtime_tool':
      if (!harness.runtimeTools) return 'harness_not_allowed';
      if (onboarding && !ONBOARDING_RUNTIME.test(record.id)) return 'session_kind_not_allowed';
      return surface.runtimeToolIds.includes(record.id) ? undefined : 'runtime_tool_not_staged';
    case 'mcp_tool':
      return harness.mcpTools ? undefined : 'harness_not_allowed';
    case 'skill':
      return harness.skills ? undefined : 'harness_not_allowed';
    case 'command':
      return 'command_reference_only';
  }
}

/** Every agent has the tools of Reins, unless the workspace withholds them. */
function isForAgent({ id }: CapabilityRecord, { agentTools }: CapabilitySurface): boolean {
  if (agentTools?.withheld.includes(id)) return false;
  return !agentTools?.builtin || agentTools.builtin.includes(id) || SERVED_TOOL_IDS.includes(id);
}

function concurrencyOf(record: CapabilityRecord): EvaluatedCapability['execution_semantics']['concurrency'] {
  if (record.kind === 'browser_tool') return 'session_exclusive';
  return record.policy === 'inspect' ? 'parallel_safe' : 'serial_only';
}

/** An MCP server is a third-party program. It is assumed to access only the network and its own process. */
function boundaryOf(record: CapabilityRecord): AuthorityBoundary {
  const shell = SHELL_TOOL.test(record.id);
  const browser = record.kind === 'browser_tool';
  const runtimeState = record.kind === 'runtime_tool';
  const network = NETWORK_TOOLS.has(record.id) || record.kind === 'mcp_tool' || shell || browser;
  const ownFiles = record.kind === 'builtin_tool' && record.id !== 'web_search' && record.policy !== 'coordinate';
  const filesystem = ownFiles || shell || record.kind === 'custom_tool' || record.id === 'download_url';
  return { filesystem, shell, network, browser, runtime_state: runtimeState };
}
