import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { asText, isMapping, type Mapping, ownProperty } from '../compile/values.ts';

/** The ids of all declared servers and applications, including invalid ones. */
export function declaredServers(root: Mapping): ReadonlySet<string> {
  const applications = ownProperty(root, 'applications');
  return new Set([
    ...Object.keys(registryPart(root, 'servers')).map((id) => id.trim()),
    ...(Object.keys(registryPart(root, 'catalog')).length > 0 ? [WORKSPACE_SERVER] : []),
    ...(Array.isArray(applications) ? applications : []).flatMap((entry: unknown) =>
      isMapping(entry) ? [asText(ownProperty(entry, 'app_id'))] : [],
    ),
  ]);
}

/** The ids of all tools in the catalog and in the allowlist. */
export function declaredTools(root: Mapping): ReadonlySet<string> {
  const allowed = ownProperty(registryPart(root, 'allowlist'), 'tool_ids');
  return new Set([
    ...catalogIds(root),
    ...(Array.isArray(allowed) ? allowed : []).map((id: unknown) => asText(id).trim()),
  ]);
}

/** The ids in the catalog, including invalid ones. */
export function catalogIds(root: Mapping): readonly string[] {
  return Object.keys(registryPart(root, 'catalog')).map((id) => id.trim());
}

function registryPart(root: Mapping, key: string): Mapping {
  const registry = ownProperty(root, 'mcp_registry');
  const value = isMapping(registry) ? ownProperty(registry, key) : undefined;
  return isMapping(value) ? value : {};
}
