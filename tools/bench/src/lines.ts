/**
 * A result for people: one line a number, under the names that lead to it. Members of a list are called by their `name`; bare lists
 * (the single rounds) are left out, what stands for them is their median.
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

/** Three significant digits are more than a benchmark knows; whole numbers stay whole. */
function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'number') return String(value);
  return Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)));
}
