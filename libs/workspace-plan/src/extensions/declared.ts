import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { asText, isMapping, type Mapping, own } from '../compile/values.ts';

/** Every server and application that is declared, whatever else is wrong with it. */
export function declaredServers(root: Mapping): ReadonlySet<string> {
  const applications = own(root, 'applications');
  return new Set([
    ...Object.keys(registryPart(root, 'servers')).map((id) => id.trim()),
    ...(Object.keys(registryPart(root, 'catalog')).length > 0 ? [WORKSPACE_SERVER] : []),
    ...(Array.isArray(applications) ? applications : []).flatMap((entry: unknown) =>
      isMapping(entry) ? [asText(own(entry, 'app_id'))] : [],
    ),
  ]);
}

/** Every tool that the workspace itself names with its server: those of the catalog and of the allowlist. */
export function declaredTools(root: Mapping): ReadonlySet<string> {
  const allowed = own(registryPart(root, 'allowlist'), 'tool_ids');
  return new Set([
    ...Object.keys(registryPart(root, 'catalog')).map((id) => id.trim()),
    ...(Array.isArray(allowed) ? allowed : []).map((id: unknown) => asText(id).trim()),
  ]);
}

function registryPart(root: Mapping, key: string): Mapping {
  const registry = own(root, 'mcp_registry');
  const value = isMapping(registry) ? own(registry, key) : undefined;
  return isMapping(value) ? value : {};
}
