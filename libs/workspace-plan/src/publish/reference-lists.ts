import { ERROR_CODES } from '@reins/contracts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../diagnostics/codes.ts';
import { FAMILIES, KINDS } from '../inventory/shapes.ts';
import { MANIFEST } from '../schema/manifest.ts';
import type { Shape } from '../schema/shape.ts';
import { WORKSPACE } from '../schema/workspace.ts';

/** The generated parts of docs/workspace.md, by marker name. */
export function referenceLists(): Readonly<Record<string, string>> {
  return {
    'workspace keys': keyList(WORKSPACE),
    'manifest keys': keyList(MANIFEST),
    'inventory keys': Object.entries(KINDS)
      .map(([kind, shape]) => `### \`${kind}\`\n\n${shape.description}\n\n${keyList(shape, 'spec')}`)
      .join('\n'),
    'inventory families': Object.values(FAMILIES)
      .map(({ pattern, about }) => `- kinds that match \`${pattern}\`: ${about}`)
      .join('\n')
      .concat('\n'),
    diagnostics: diagnosticList(),
  };
}

/** Replaces the text between `<!-- begin: name -->` and `<!-- end: name -->`. Throws when a marker is missing. */
export function withLists(text: string, lists: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [name, list] of Object.entries(lists)) {
    const begin = `<!-- begin: ${name} -->`;
    const end = `<!-- end: ${name} -->`;
    const from = result.indexOf(begin);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`the text has no marker '${name}'`);
    result = `${result.slice(0, from + begin.length)}\n${list}${result.slice(to)}`;
  }
  return result;
}

const keyList = (shape: Shape, prefix = ''): string => `${[...keyItems(shape, prefix)].join('\n')}\n`;

/** One list item for each key: its value, its default and its description. */
function* keyItems(shape: Shape, path: string): Generator<string> {
  for (const each of shape.anyOf ?? []) yield* keyItems(each, path);
  if (shape.items) yield* keyItems(shape.items, `${path}[]`);
  for (const [key, field] of Object.entries(shape.properties ?? {})) {
    const at = path === '' ? key : `${path}.${key}`;
    const isRequired = shape.required?.includes(key) === true;
    yield listItem([`\`${at}\``, valueText(field), defaultOf(field, isRequired)], field.description);
    yield* keyItems(field, at);
  }
  if (shape.additionalProperties && shape.additionalProperties !== true) {
    const at = `${path}.<name>`;
    yield listItem([`\`${at}\``, valueText(shape.additionalProperties)], shape.additionalProperties.description);
    yield* keyItems(shape.additionalProperties, at);
  }
}

function valueText(shape: Shape): string {
  if (shape.not) return 'nothing';
  if (shape.anyOf) return shape.anyOf.map(valueText).join(' or ');
  if (shape.enum) return shape.enum.map((each) => `\`${each}\``).join(', ');
  if (shape.type === 'array') return shape.items ? `list of ${valueText(shape.items)}` : 'list';
  if (shape.type === 'object') return 'mapping';
  if (shape.type === 'string')
    return shape.pattern && shape.pattern !== '\\S' ? `string: \`${shape.pattern}\`` : 'string';
  if (shape.type === 'boolean') return '`true`, `false`';
  return shape.type ? `${shape.type === 'integer' ? 'whole number' : 'number'}${rangeOf(shape)}` : 'anything';
}

function rangeOf({ minimum, maximum, exclusiveMinimum }: Shape): string {
  if (exclusiveMinimum !== undefined) return ` > ${exclusiveMinimum}`;
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : ` ≥ ${minimum}`;
}

function defaultOf(shape: Shape, required: boolean): string {
  if (required) return '**required**';
  return shape.default === undefined ? '' : `default: \`${JSON.stringify(shape.default)}\``;
}

function diagnosticList(): string {
  const items = Object.entries(DIAGNOSTIC_CODES).map(([code, { alias, remedy }]) => {
    const { meaning } = ERROR_CODES[code as DiagnosticCode];
    // A file name keeps its case.
    const sentence = `${meaning.replace(/^[a-z](?!\S*\.)/, (letter) => letter.toUpperCase())}.`;
    return listItem([`\`${code}\``, alias ? `in \`error\`: \`${alias}\`` : ''], `${sentence} ${remedy}`);
  });
  return `${items.join('\n')}\n`;
}

/** A Markdown list item: what it is about, the facts in parentheses, the text behind them, wrapped. */
function listItem([subject = '', ...facts]: readonly string[], text: string): string {
  const known = facts.filter((fact) => fact !== '').join(' · ');
  const lines = wrap(`${subject}${known === '' ? '' : ` (${known})`}: ${text}`, COLUMNS - 2);
  return `- ${lines.join('\n  ')}`;
}

const COLUMNS = 120;

/** Breaks a text at its blanks, so that no line is longer than `columns` unless one word is. Code spans stay whole. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.match(/(?:`[^`]*`|\S)+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
