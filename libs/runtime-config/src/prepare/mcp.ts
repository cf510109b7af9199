import { markShared } from '../json-bytes.ts';
import { encodeWorkspaceCatalog, workspaceCatalogFingerprint } from '../mcp/catalog.ts';
import { mergeMcpServerPayloads } from '../mcp/merge.ts';
import { keepKnownPlaceholders, type McpServerPayload, mcpServerPayloads, withSidecar } from '../mcp/payloads.ts';
import {
  mcpServerIdMap,
  mcpServerMappingMetadata,
  physicalIdOf,
  type ServerIdMap,
  type ServerIdMapping,
  WORKSPACE_SERVER_ID,
} from '../mcp/server-ids.ts';
import type { CompiledWorkspaceRuntimePlan, McpToolRef } from '../plan.ts';
import type { WorkspaceToolsSpec } from '../request/host-request.ts';
import type { PrepareStageInput } from './input.ts';
import { identityOf, memoizePerPlan } from './memo.ts';

/** The prepared MCP configuration of a run. */
export interface PreparedMcp {
  readonly idMap: ServerIdMap;
  readonly mappings: readonly ServerIdMapping[];
  readonly servers: readonly McpServerPayload[];
  /** Every connected server and application with its logical and physical id. */
  readonly names: readonly { readonly logical: string; readonly physical: string }[];
  readonly refs: readonly McpToolRef[];
  readonly workspaceTools: WorkspaceToolsSpec | null;
}

interface McpArgs {
  readonly workspaceId: string;
  readonly sandboxId: string;
  readonly environmentNames: ReadonlySet<string>;
}

/** The servers of a plan with physical ids. Placeholders are checked and kept. */
const preparePlanMcp = memoizePerPlan(
  (args: McpArgs) => `${args.workspaceId}\n${args.sandboxId}\n${identityOf(args.environmentNames)}`,
  (plan, args): PreparedMcp => {
    const idMap = mcpServerIdMap(plan, args.workspaceId, args.sandboxId);
    return {
      idMap,
      mappings: mcpServerMappingMetadata(idMap),
      servers: markShared(mcpServerPayloads(plan, idMap, keepKnownPlaceholders(args.environmentNames))),
      names: serverIds(plan).map((id) => ({ logical: id, physical: physicalIdOf(idMap, id) })),
      refs: markShared(
        plan.resolved_mcp_tool_refs.map((ref) => ({ ...ref, server_id: physicalIdOf(idMap, ref.server_id) })),
      ),
      workspaceTools: workspaceToolsOf(plan, idMap),
    };
  },
);

/**
 * The ids of servers and applications. The host starts an application as a server of the same name, and then discovers
 * its tools.
 */
function serverIds({ resolved_mcp_servers, resolved_applications }: CompiledWorkspaceRuntimePlan): readonly string[] {
  return [
    ...new Set([
      ...resolved_mcp_servers.map(({ server_id }) => server_id),
      ...resolved_applications.map(({ app_id }) => app_id),
    ]),
  ];
}

function workspaceToolsOf(plan: CompiledWorkspaceRuntimePlan, idMap: ServerIdMap): WorkspaceToolsSpec | null {
  if (plan.workspace_mcp_catalog.length === 0) return null;
  const server = plan.resolved_mcp_servers.find((candidate) => candidate.server_id === WORKSPACE_SERVER_ID);
  return {
    physical_server_id: physicalIdOf(idMap, WORKSPACE_SERVER_ID),
    fingerprint: workspaceCatalogFingerprint(plan),
    timeout_ms: server?.timeout_ms ?? 10_000,
    catalog_json_base64: encodeWorkspaceCatalog(plan.workspace_mcp_catalog),
  };
}

/** The MCP configuration of a run, merged with the servers that are already running. */
export function prepareMcp({
  plan,
  request: { workspaceId },
  installation: { sandboxId, environmentNames },
  surfaces = {},
}: Pick<PrepareStageInput, 'plan' | 'request' | 'installation' | 'surfaces'>): PreparedMcp {
  const prepared = preparePlanMcp(plan, { workspaceId, sandboxId, environmentNames });
  const { sidecar, appServers } = surfaces;
  if (sidecar === undefined && (appServers === undefined || appServers.length === 0)) return prepared;
  const base = sidecar === undefined ? prepared.servers : withSidecar(prepared.servers, sidecar);
  const servers = mergeMcpServerPayloads(base, appServers ?? []);
  const known = new Set(prepared.names.map((name) => name.physical));
  const added = servers.filter((server) => !known.has(server.name));
  return {
    ...prepared,
    servers: servers.map(withoutUnsetRefreshFlag),
    names: [...prepared.names, ...added.map(({ name }) => ({ logical: name, physical: name }))],
  };
}

/** Removes the refresh flag unless it is set. */
function withoutUnsetRefreshFlag(payload: McpServerPayload): McpServerPayload {
  const { _holaboss_force_refresh: refresh, ...rest } = payload;
  return refresh === true ? payload : rest;
}
