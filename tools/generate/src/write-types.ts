import type { Contract, Field, FieldType, Message } from './model.ts';

export const BANNER = '// Generated from proto/ by `npm run generate`. Do not edit.\n';

/** Writes TypeScript interfaces of all messages, and the maps from event and entry types to them. */
export function writeTypes(contract: Contract): string {
  const events = contract.messages.filter((message) => message.event);
  const entries = contract.messages.filter((message) => message.entry);
  return [
    BANNER,
    "import type { JsonObject, JsonValue } from '../json.ts';\n",
    ...contract.messages.map(writeInterface),
    '/** The closed catalogue: event type → its body. */\nexport interface EventBodies {',
    ...events.map((message) => `  readonly '${message.event?.type}': ${message.name};`),
    '}\n',
    '/** Journal entry type → its data. */\nexport interface EntryData {',
    ...entries.map((message) => `  readonly ${message.entry}: ${message.name};`),
    '}\n',
  ].join('\n');
}

function writeInterface(message: Message): string {
  const fields = message.fields.map(
    (field) => `${docOf(field.doc, '  ')}  readonly ${field.name}${field.required ? '' : '?'}: ${typeText(field)};\n`,
  );
  return `${docOf(message.doc, '')}export interface ${message.name} {\n${fields.join('')}}\n`;
}

const docOf = (doc: string, indent: string): string => {
  if (!doc) return '';
  const lines = doc.split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
};

function typeText(field: Field): string {
  const one = oneType(field.type, field.rule.constant ? [field.rule.constant] : field.rule.in);
  if (field.kind === 'list') return `readonly ${one.includes(' ') ? `(${one})` : one}[]`;
  return field.kind === 'map' ? `Readonly<Record<string, ${one}>>` : one;
}

function oneType(type: FieldType, allowed: readonly string[]): string {
  if (type.is === 'string' && allowed.length > 0) return allowed.map((value) => `'${value}'`).join(' | ');
  const plain = {
    string: 'string',
    integer: 'number',
    number: 'number',
    boolean: 'boolean',
    json: 'JsonValue',
    object: 'JsonObject',
  };
  return type.is === 'message' ? type.name : plain[type.is];
}
