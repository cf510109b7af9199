import { WORKSPACE_SERVER } from '../compile/servers.ts';
import { own } from '../compile/values.ts';
import type { InventoryEntry } from './documents.ts';

/** The tool as a run sees it. */
export function toolId(entry: InventoryEntry): string {
  const spec = entry.spec ?? {};
  const name = own(spec, 'tool') ?? entry.name;
  if (own(spec, 'type') === 'module') return `${WORKSPACE_SERVER}.${entry.name}`;
  return own(spec, 'type') === 'mcp' ? `${own(spec, 'server')}.${name}` : String(name);
}

const NEEDED = { module: ['module', 'symbol'], mcp: ['server'], builtin: [] } as const;

/** Fields that a tool of its type cannot do without. */
export function checkTool(entry: InventoryEntry): void {
  const spec = entry.spec ?? {};
  const type = own(spec, 'type') as keyof typeof NEEDED | undefined;
  for (const field of type ? NEEDED[type] : []) {
    if (own(spec, field) !== undefined) continue;
    entry.report.stricter({
      code: 'inventory_document_invalid',
      at: ['spec'],
      key: true,
      message: `a tool of type '${type}' needs '${field}'`,
    });
  }
}
