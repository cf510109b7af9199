import { sha256Hex } from '../canonical.ts';
import type { McpPlan } from '../plan.ts';

/** The logical id of the server for the workspace's own tools. */
export const WORKSPACE_SERVER_ID = 'workspace';

/** Logical server id → physical server id in the run. */
export type ServerIdMap = Readonly<Record<string, string>>;

/** A server whose physical id differs from its logical id. */
export interface ServerIdMapping {
  readonly logical_id: string;
  readonly physical_id: string;
}

/** The physical id of a workspace's own MCP server. Deterministic, and unique per sandbox and workspace. */
export function workspacePhysicalId(workspaceId: string, sandboxId: string): string {
  const sandbox = segment(sandboxId) || 'sandbox';
  // An id without letters and digits has no readable segment. The id itself is used then, so that such workspaces do
  // not share a server.
  const workspace = segment(workspaceId) || workspaceId || 'workspace';
  return `workspace__${sha256Hex(`${sandbox}:${workspace}`).slice(0, 16)}`;
}

function segment(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
}

/** The physical ids of all servers of a plan. Only the workspace server's id differs from its logical id. */
export function mcpServerIdMap(plan: McpPlan, workspaceId: string, sandboxId: string): ServerIdMap {
  const ids = plan.resolved_mcp_servers.map((server) => server.server_id);
  if (plan.workspace_mcp_catalog.length > 0 && !ids.includes(WORKSPACE_SERVER_ID)) ids.push(WORKSPACE_SERVER_ID);
  return Object.fromEntries(
    ids.map((id) => [id, id === WORKSPACE_SERVER_ID ? workspacePhysicalId(workspaceId, sandboxId) : id]),
  );
}

/** The physical id of a server. A server that is not in the map keeps its id. */
export function physicalIdOf(map: ServerIdMap | null, logicalId: string): string {
  return (map !== null && Object.hasOwn(map, logicalId) && map[logicalId]) || logicalId;
}

/** The servers whose ids differ, ordered by logical id. */
export function mcpServerMappingMetadata(map: ServerIdMap): readonly ServerIdMapping[] {
  return Object.entries(map)
    .filter(([logical, physical]) => logical !== physical)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([logical_id, physical_id]) => ({ logical_id, physical_id }));
}
