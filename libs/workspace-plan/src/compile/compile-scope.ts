import { compileExtensions } from '../extensions/compile-extensions.ts';
import { checkCostBudget } from '../extensions/cost-budget.ts';
import { checkGatedTools } from '../extensions/gated-tools.ts';
import { checkRequiredServers } from '../extensions/required-servers.ts';
import type { CompiledWorkspaceRuntimePlan, PlanExtensions } from '../plan.ts';
import { compileApplications } from './applications.ts';
import { isToolModule } from './catalog.ts';
import { checkCode } from './code-checks.ts';
import { compileMcpRegistry } from './mcp-registry.ts';
import type { McpRegistry } from './mcp-resolution.ts';
import { checkProbed } from './probed-servers.ts';
import { compileSchemaAliases } from './schema-aliases.ts';
import type { Scope } from './scope.ts';
import { compileAgents } from './team.ts';

/** Compiles a workspace in workspace.yaml form, whether it was written as one file or as an inventory. */
export function compileScope(
  scope: Scope,
  workspaceId: string,
  checksum: () => string,
): CompiledWorkspaceRuntimePlan | undefined {
  const agents = compileAgents(scope);
  const mcp = compileMcpRegistry(scope);
  const aliases = compileSchemaAliases(scope);
  const applications = compileApplications(scope);
  const extensions = compileExtensions(scope);
  const known = mcp && !scope.report.findings.failed;
  const names = known && [...mcp.servers.map((each) => each.server_id), ...applications.map((each) => each.app_id)];
  checkRequiredServers(scope, extensions?.required_servers ?? [], names ? new Set(names) : undefined);
  checkGatedTools(scope, extensions?.gated_tools ?? []);
  const models = agents ? [agents.coordinator, ...(agents.members ?? [])].map(({ model }) => model) : [];
  checkCostBudget(scope, extensions?.budgets, models);
  const { probed, code } = scope.observed;
  const catalog = mcp?.catalog.filter(({ module_path }) => isToolModule(module_path)) ?? [];
  const named = { catalog, process: extensions?.process };
  scope.onCode(named);
  const reported = code ? checkCode(scope, named, code) : new Set<string>();
  if (mcp && probed) checkProbed(scope, { ...mcp, gated: extensions?.gated_tools ?? [] }, probed, reported);
  if (!agents || !mcp || scope.report.findings.failed) return undefined;
  const { coordinator, members } = agents;
  const allExtensions = withServers(extensions, mcp);
  return {
    workspace_id: workspaceId,
    mode: members ? 'team' : 'single',
    general_config: members ? { type: 'team', coordinator, members } : { type: 'single', agent: coordinator },
    schema_aliases: { ...aliases },
    resolved_prompts: Object.fromEntries([coordinator, ...(members ?? [])].map(({ id, prompt }) => [id, prompt])),
    resolved_mcp_servers: mcp.servers,
    resolved_mcp_tool_refs: mcp.toolRefs,
    workspace_mcp_catalog: mcp.catalog,
    config_checksum: checksum(),
    resolved_applications: applications,
    mcp_tool_allowlist: mcp.toolRefs.map((tool) => tool.tool_id),
    ...(allExtensions && { extensions: allExtensions }),
  };
}

function withServers(
  extensions: PlanExtensions | undefined,
  { packages, shared }: McpRegistry,
): PlanExtensions | undefined {
  const ofServers = {
    ...(Object.keys(packages).length > 0 && { server_packages: packages }),
    ...(shared.length > 0 && { shared_servers: shared }),
  };
  return Object.keys(ofServers).length === 0 ? extensions : { ...extensions, ...ofServers };
}
