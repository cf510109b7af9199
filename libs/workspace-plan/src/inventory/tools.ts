import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { ownProperty } from '../compile/values.ts';
import type { InventoryEntry } from './documents.ts';

/** The id of the tool in a run. */
export function toolId(entry: InventoryEntry): string {
  const spec = entry.spec ?? {};
  const name = ownProperty(spec, 'tool') ?? entry.name;
  if (ownProperty(spec, 'type') === 'module') return `${WORKSPACE_SERVER}.${entry.name}`;
  return ownProperty(spec, 'type') === 'mcp' ? `${ownProperty(spec, 'server')}.${name}` : String(name);
}

const REQUIRED_FIELDS = { module: ['module', 'symbol'], mcp: ['server'], builtin: [] } as const;

/** Checks the fields that a tool of its type requires. */
export function checkTool(entry: InventoryEntry): void {
  const spec = entry.spec ?? {};
  const type = ownProperty(spec, 'type') as keyof typeof REQUIRED_FIELDS | undefined;
  for (const field of type ? REQUIRED_FIELDS[type] : []) {
    if (ownProperty(spec, field) !== undefined) continue;
    entry.report.strictError({
      code: 'inventory_document_invalid',
      at: ['spec'],
      pointsAtKey: true,
      message: `a tool of type '${type}' requires '${field}'`,
    });
  }
}
