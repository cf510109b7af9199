/**
 * Formats a result as human-readable text: one line per number, labelled with its path. List members are labelled by their `name`. Plain lists (single
 * rounds) are left out, because the result has their median.
 */
export function linesOf(result: unknown): string[] {
  const rows = rowsOf(result, []);
  const width = Math.max(0, ...rows.map(({ label }) => label.length));
  return rows.map(({ label, value }) => `${label.padEnd(width)}  ${value}`);
}

interface Row {
  readonly label: string;
  readonly value: string;
}

function rowsOf(value: unknown, path: readonly string[]): Row[] {
  if (Array.isArray(value)) return value.filter(isNamed).flatMap(({ name, ...rest }) => rowsOf(rest, [...path, name]));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => rowsOf(item, [...path, key]));
  return [{ label: path.join(' · '), value: textOf(value) }];
}

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** Formats a value: numbers get three significant digits, large ones are rounded to whole numbers. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
