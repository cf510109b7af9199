import { documentShape, FAMILIES, KINDS } from '../inventory/shapes.ts';
import { MANIFEST } from '../schema/manifest.ts';
import type { Shape } from '../schema/shape.ts';
import { WORKSPACE } from '../schema/workspace.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The JSON Schema of workspace.yaml for editors: `# yaml-language-server: $schema=…`. */
export function workspaceJsonSchema(): JsonSchema {
  return published('workspace', 'workspace.yaml', toJsonSchema(WORKSPACE));
}

/** The JSON Schema of an application manifest. */
export function manifestJsonSchema(): JsonSchema {
  return published('app-runtime', 'app.runtime.yaml', toJsonSchema(MANIFEST));
}

/** The JSON Schema of an inventory document of any kind. */
export function inventoryJsonSchema(): JsonSchema {
  const kinds = Object.entries(KINDS).map(([kind, spec]) => toJsonSchema(documentShape(kind, spec)));
  const families = Object.values(FAMILIES).map(({ pattern, shape }) => {
    const whole = toJsonSchema(documentShape('', shape)) as { properties: Record<string, unknown> };
    return { ...whole, properties: { ...whole.properties, kind: { type: 'string', pattern } } };
  });
  return published('inventory', 'A document under config/', { oneOf: [...kinds, ...families] });
}

function published(name: string, title: string, schema: JsonSchema): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', $id: `urn:reins:schema:${name}`, title, ...schema };
}

/**
 * Converts a shape to JSON Schema. Unknown keys, which the compiler only warns about, are errors here; `x-…` keys are
 * allowed.
 */
export function toJsonSchema(shape: Shape): JsonSchema {
  const { properties, additionalProperties, items, anyOf, ...plain } = shape;
  return {
    ...plain,
    ...(properties && { properties: mapValues(properties, toJsonSchema) }),
    ...(shape.type === 'object' && otherKeys(additionalProperties)),
    ...(items && { items: toJsonSchema(items) }),
    ...(anyOf && { anyOf: anyOf.map(toJsonSchema) }),
  };
}

function otherKeys(others: Shape['additionalProperties']): JsonSchema {
  if (others === true) return { additionalProperties: true };
  if (others) return { additionalProperties: toJsonSchema(others) };
  return { additionalProperties: false, patternProperties: { '^x-': {} } };
}

function mapValues<T, U>(record: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
