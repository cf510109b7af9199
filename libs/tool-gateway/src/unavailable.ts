import type { HostRequest } from '@reins/runtime-config';
import type { RunTool } from './inventory/run-tool.ts';
import { catalogOf } from './sidecar/catalog.ts';
import type { ToolLoadFailure } from './sidecar/load-failures.ts';

/** A server that is unavailable or lacks tools, with the fields of `runtime.mcp.server.unavailable`. */
export interface UnavailableServer {
  readonly serverId: string;
  readonly reason: string;
  readonly missingToolIds: readonly string[];
  readonly required: boolean;
}

/** The state of one server of a run. */
export interface ServerState {
  /** The physical id. */
  readonly serverId: string;
  /** Why the server is unavailable; undefined when it is available. */
  readonly downReason: string | undefined;
  readonly failedTools: readonly ToolLoadFailure[];
  /** The names of all tools that it offers, also of those that the run does not use. */
  readonly toolNames: readonly string[];
}

type ToolRequirements = Pick<HostRequest, 'mcp_tool_refs' | 'workspace_tools' | 'required_servers'>;
type LogicalIdOf = (serverId: string) => string;

const MAX_REASON_LENGTH = 2000;

/**
 * Returns the missing parts of one server: no entry, or one. A workspace tool that could not be loaded is always
 * reported. It counts as missing only when the run may call it.
 */
export function unavailableOf(
  { serverId, downReason, failedTools, toolNames }: ServerState,
  requirements: ToolRequirements,
  tools: readonly RunTool[],
  logicalIdOf: LogicalIdOf,
): readonly UnavailableServer[] {
  const logicalId = logicalIdOf(serverId);
  const offered = tools.filter((tool) => tool.serverId === serverId).map((tool) => tool.toolId);
  const expected = expectedOf(requirements, serverId);
  const missing = expected.filter((toolId) => downReason !== undefined || !offered.includes(toolId));
  if (downReason === undefined && missing.length === 0 && failedTools.length === 0) return [];
  const reasons = new Map(failedTools.map(({ toolId, reason }) => [toolId, reason]));
  const unexplained = missing.filter((toolId) => !reasons.has(toolId));
  const problems = [
    ...[...reasons].map(([toolId, reason]) => `${toolId}: ${reason}`),
    ...(unexplained.length > 0 ? [`it does not offer ${unexplained.join(', ')}; it offers: ${listed(toolNames)}`] : []),
  ];
  return [
    {
      serverId: logicalId,
      reason: downReason?.slice(0, MAX_REASON_LENGTH) ?? joinReasons(problems),
      missingToolIds: expected.length === 0 ? offered : missing,
      required: requirements.required_servers.includes(logicalId) && (downReason !== undefined || missing.length > 0),
    },
  ];
}

/** How many tools a reason names. */
const MAX_LISTED = 20;

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'no tools';
  const more = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : '';
  return `${names.slice(0, MAX_LISTED).join(', ')}${more}`;
}

/** The required servers that the workspace does not declare. */
export function undeclaredServers(
  { required_servers }: ToolRequirements,
  declared: ReadonlySet<string>,
): readonly UnavailableServer[] {
  const reason = 'the workspace has no enabled server or application with this name';
  return required_servers
    .filter((serverId) => !declared.has(serverId))
    .map((serverId) => ({ serverId, reason, missingToolIds: [], required: true }));
}

/** The expected tools of a server: the listed ones, else the whole catalog of a workspace sidecar. */
function expectedOf({ mcp_tool_refs, workspace_tools }: ToolRequirements, serverId: string): readonly string[] {
  const named = mcp_tool_refs.filter((ref) => ref.server_id === serverId).map((ref) => ref.tool_id);
  if (named.length > 0 || workspace_tools?.physical_server_id !== serverId) return named;
  return catalogOf(workspace_tools).map(({ tool_id }) => tool_id);
}

/** Joins whole reasons up to the length limit, then adds the number of omitted ones. */
function joinReasons(reasons: readonly string[]): string {
  let remaining = MAX_REASON_LENGTH;
  const fit = reasons.findIndex((reason) => {
    remaining -= reason.length + 2;
    return remaining < 0;
  });
  if (fit < 0) return reasons.join('; ');
  const shown = Math.max(1, fit);
  const more = reasons.length - shown;
  return `${reasons.slice(0, shown).join('; ').slice(0, MAX_REASON_LENGTH)}${more > 0 ? `; and ${more} more` : ''}`;
}
