import { sha256Hex } from '../canonical.ts';
import type { McpPlan } from '../plan.ts';

/** The logical id of the server that a workspace's own tools live on. */
export const WORKSPACE_SERVER_ID = 'workspace';

/** Logical server id → the physical one that a run uses. */
export type ServerIdMap = Readonly<Record<string, string>>;

/** What is told about a server whose physical id differs. */
export interface ServerIdMapping {
  readonly logical_id: string;
  readonly physical_id: string;
}

/**
 * The physical id of a workspace's own MCP server: the same inputs give the same id, and two sandboxes or two workspaces differ.
 */
export function workspacePhysicalId(workspaceId: string, sandboxId: string): string {
  const sandbox = segment(sandboxId) || 'sandbox';
  // An id of symbols alone has no readable segment. It stands for itself then, so that such ids do not share one server.
  const workspace = segment(workspaceId) || workspaceId || 'workspace';
  return `workspace__${sha256Hex(`${sandbox}:${workspace}`).slice(0, 16)}`;
}

function segment(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]+/g, '_').replace(/^_+|_+$/g, '');
}

/** Every server of a plan with its physical id: its own name, except for the workspace server. */
export function mcpServerIdMap(plan: McpPlan, workspaceId: string, sandboxId: string): ServerIdMap {
  const ids = plan.resolved_mcp_servers.map((server) => server.server_id);
  if (plan.workspace_mcp_catalog.length > 0 && !ids.includes(WORKSPACE_SERVER_ID)) ids.push(WORKSPACE_SERVER_ID);
  return Object.fromEntries(
    ids.map((id) => [id, id === WORKSPACE_SERVER_ID ? workspacePhysicalId(workspaceId, sandboxId) : id]),
  );
}

/** The physical id of a server; a server that the map does not name keeps its own. */
export function physicalIdOf(map: ServerIdMap | null, logicalId: string): string {
  return (map !== null && Object.hasOwn(map, logicalId) && map[logicalId]) || logicalId;
}

/** The servers whose ids were rewritten, by logical id. */
export function mcpServerMappingMetadata(map: ServerIdMap): readonly ServerIdMapping[] {
  return Object.entries(map)
    .filter(([logical, physical]) => logical !== physical)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([logical_id, physical_id]) => ({ logical_id, physical_id }));
}
