import { inventoryJsonSchema, manifestJsonSchema, workspaceJsonSchema } from './json-schema.ts';
import { referenceLists, withLists } from './reference-lists.ts';

/** The generated files of docs/, by name. In workspace.md only the text between markers is replaced. */
export function publishedFiles(read: (file: string) => string): Readonly<Record<string, string>> {
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  return {
    'workspace.md': withLists(read('workspace.md'), referenceLists()),
    'workspace.schema.json': json(workspaceJsonSchema()),
    'app-runtime.schema.json': json(manifestJsonSchema()),
    'inventory.schema.json': json(inventoryJsonSchema()),
  };
}
