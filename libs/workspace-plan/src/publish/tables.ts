import { ERROR_CODES } from '@reins/contracts';
import { DIAGNOSTIC_CODES, type DiagnosticCode } from '../diagnostics/codes.ts';
import { FAMILIES, KINDS } from '../inventory/shapes.ts';
import { MANIFEST } from '../schema/manifest.ts';
import type { Shape } from '../schema/shape.ts';
import { WORKSPACE } from '../schema/workspace.ts';

/** The generated parts of docs/workspace.md, by marker name. */
export function documentationTables(): Readonly<Record<string, string>> {
  return {
    'workspace keys': keyTable(WORKSPACE),
    'manifest keys': keyTable(MANIFEST),
    'inventory keys': Object.entries(KINDS)
      .map(([kind, shape]) => `### \`${kind}\`\n\n${shape.description}\n\n${keyTable(shape, 'spec')}`)
      .join('\n'),
    'inventory families': Object.values(FAMILIES)
      .map(({ pattern, about }) => `- kinds that match \`${pattern}\`: ${about}`)
      .join('\n')
      .concat('\n'),
    diagnostics: diagnosticTable(),
  };
}

/** Replaces the text between `<!-- begin: name -->` and `<!-- end: name -->`. Throws when a marker is missing. */
export function withTables(text: string, tables: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [name, table] of Object.entries(tables)) {
    const begin = `<!-- begin: ${name} -->`;
    const end = `<!-- end: ${name} -->`;
    const from = result.indexOf(begin);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`the text has no marker '${name}'`);
    result = `${result.slice(0, from + begin.length)}\n${table}${result.slice(to)}`;
  }
  return result;
}

function keyTable(shape: Shape, prefix = ''): string {
  const rows = [...keyRows(shape, prefix)].map((row) => `| ${row.join(' | ')} |`);
  return `| key | value | default | |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}

function* keyRows(shape: Shape, path: string): Generator<readonly string[]> {
  for (const each of shape.anyOf ?? []) yield* keyRows(each, path);
  if (shape.items) yield* keyRows(shape.items, `${path}[]`);
  for (const [key, field] of Object.entries(shape.properties ?? {})) {
    const at = path === '' ? key : `${path}.${key}`;
    yield [`\`${at}\``, valueText(field), defaultOf(field, shape.required?.includes(key) === true), describe(field)];
    yield* keyRows(field, at);
  }
  if (shape.additionalProperties && shape.additionalProperties !== true) {
    const at = `${path}.<name>`;
    yield [`\`${at}\``, valueText(shape.additionalProperties), '', describe(shape.additionalProperties)];
    yield* keyRows(shape.additionalProperties, at);
  }
}

function valueText(shape: Shape): string {
  if (shape.not) return 'nothing';
  if (shape.anyOf) return shape.anyOf.map(valueText).join(' or ');
  if (shape.enum) return shape.enum.map((each) => `\`${each}\``).join(', ');
  if (shape.type === 'array') return shape.items ? `list of ${valueText(shape.items)}` : 'list';
  if (shape.type === 'object') return 'mapping';
  if (shape.type === 'string')
    return shape.pattern && shape.pattern !== '\\S' ? `text: \`${escapeCell(shape.pattern)}\`` : 'text';
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
  return shape.default === undefined ? '' : `\`${JSON.stringify(shape.default)}\``;
}

function describe(shape: Shape): string {
  return escapeCell(shape.description);
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function diagnosticTable(): string {
  const rows = Object.entries(DIAGNOSTIC_CODES).map(([code, { alias, remedy }]) => {
    const { meaning } = ERROR_CODES[code as DiagnosticCode];
    return `| \`${code}\` | ${alias ? `\`${alias}\`` : ''} | ${escapeCell(meaning)} | ${escapeCell(remedy)} |`;
  });
  return `| code | code in \`error\` | what is wrong | what to do |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
