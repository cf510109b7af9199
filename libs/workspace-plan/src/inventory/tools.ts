import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { own } from '../compile/values.ts';
import type { InventoryEntry } from './documents.ts';

/** The id of the tool in a run. */
export function toolId(entry: InventoryEntry): string {
  const spec = entry.spec ?? {};
  const name = own(spec, 'tool') ?? entry.name;
  if (own(spec, 'type') === 'module') return `${WORKSPACE_SERVER}.${entry.name}`;
  return own(spec, 'type') === 'mcp' ? `${own(spec, 'server')}.${name}` : String(name);
}

const REQUIRED_FIELDS = { module: ['module', 'symbol'], mcp: ['server'], builtin: [] } as const;

/** Checks the fields that a tool of its type requires. */
export function checkTool(entry: InventoryEntry): void {
  const spec = entry.spec ?? {};
  const type = own(spec, 'type') as keyof typeof REQUIRED_FIELDS | undefined;
  for (const field of type ? REQUIRED_FIELDS[type] : []) {
    if (own(spec, field) !== undefined) continue;
    entry.report.strictError({
      code: 'inventory_document_invalid',
      at: ['spec'],
      key: true,
      message: `a tool of type '${type}' requires '${field}'`,
    });
  }
}
