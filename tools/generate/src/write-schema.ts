import type { Contract, Field, Message } from './model.ts';

export type Schema = Record<string, unknown>;

/** The field formats as JSON Schema. The same patterns are in libs/contracts/src/validation/checks.ts. */
const FORMATS: Record<string, Schema> = {
  token: { pattern: '^[A-Za-z0-9_-]{1,64}$' },
  sha256: { pattern: '^[0-9a-f]{64}$' },
  timestamp: { format: 'date-time' },
};

/** Writes one JSON Schema (2020-12) with a definition for every message. */
export function writeSchema(contract: Contract): string {
  const $defs = Object.fromEntries(contract.messages.map((message) => [message.name, schemaOf(message)]));
  const events = contract.messages
    .filter((message) => message.event)
    .map((message) => ({ $ref: `#/$defs/${message.name}` }));
  const root = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:reins:schema:events',
    title: 'Reins events and messages',
    description: 'Generated from proto/ by `npm run generate`.',
    oneOf: events,
    $defs,
  };
  return `${JSON.stringify(root, null, 2)}\n`;
}

/**
 * Creates the schema of one message.
 * @param refs location of the schemas of other messages
 */
export function schemaOf(message: Message, refs = '#/$defs'): Schema {
  return {
    description: message.doc,
    type: 'object',
    properties: Object.fromEntries(message.fields.map((field) => [field.name, fieldSchema(field, refs)])),
    required: message.fields.filter((field) => field.required).map((field) => field.name),
  };
}

function fieldSchema(field: Field, refs: string): Schema {
  const one = valueSchema(field, refs);
  const doc = field.doc ? { description: field.doc } : {};
  if (field.kind === 'list') return { ...doc, type: 'array', items: one };
  return field.kind === 'map' ? { ...doc, type: 'object', additionalProperties: one } : { ...doc, ...one };
}

function valueSchema({ type, rule }: Field, refs: string): Schema {
  if (type.is === 'json') return {};
  if (type.is === 'message') return { $ref: `${refs}/${type.name}` };
  if (rule.constant) return { const: rule.constant };
  if (rule.in.length > 0) return { enum: rule.in };
  const bounds = {
    ...(rule.min !== undefined && { minimum: rule.min }),
    ...(rule.max !== undefined && { maximum: rule.max }),
  };
  return {
    type: type.is,
    ...bounds,
    ...(rule.format && FORMATS[rule.format]),
    ...(rule.notBlank && { pattern: '\\S' }),
  };
}
