import { isObject, type Problem, type Stage } from '@reins/contracts';
import { type SchemaFiles, schemaFileOf } from '@reins/runtime-config';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';
import type { Tree } from '@reins/workspace-tree';

const MAX_SCHEMA_BYTES = 256 * 1024;

/**
 * Reads the JSON Schema for a stage's output from the tree of the workspace revision. A schema module is loaded by the
 * host instead. An invalid schema is ignored with a warning.
 */
export async function outputSchemas(
  plan: CompiledWorkspaceRuntimePlan,
  stage: Stage,
  tree: Tree,
): Promise<{ readonly schemas: SchemaFiles; readonly problems: readonly Problem[] }> {
  const path = schemaFileOf(plan, stage);
  const none = { schemas: {}, problems: [] };
  if (path === null) return none;
  const file = tree.manifest.get(path);
  if (file === undefined) return none;
  if (file.size > MAX_SCHEMA_BYTES) return { schemas: {}, problems: [invalid(path)] };
  const schema = parseObject(new TextDecoder().decode(await tree.read(path)));
  return schema === undefined
    ? { schemas: {}, problems: [invalid(path)] }
    : { schemas: { [path]: schema }, problems: [] };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const invalid = (path: string): Problem => ({
  code: 'output_schema_invalid',
  message: `the output schema '${path}' is not a JSON object of at most ${MAX_SCHEMA_BYTES} bytes in a plain file`,
  path,
  hint: 'Write the schema as one JSON Schema object.',
});
