import { conformance } from './cases.ts';
import { EXCEPTIONS, UNPROVEN } from './exceptions.ts';

/** The marks around the table in the documentation. */
export const TABLE_START = '<!-- conformance: written by libs/harness/scripts/conformance-table.mjs -->';
export const TABLE_END = '<!-- end of conformance -->';

/** The behaviours of the conformance suite, and the runtimes for which each is proved, as Markdown tables. */
export function conformanceTable(): string {
  const cases = conformance({});
  const behaviours = cases.map(({ name }, index) => [String(index + 1), name]);
  const runtimes = Object.entries(EXCEPTIONS).flatMap(([runtimeId, without]) => {
    const statusOf = (scenario: (typeof cases)[number]['scenario']): string =>
      (scenario !== undefined && without[scenario]) || PROVED;
    const statuses = cases.map(({ scenario }) => statusOf(scenario));
    return [...new Set([PROVED, ...statuses])].map((status) => [
      `\`${runtimeId}\``,
      status,
      ranges(statuses.flatMap((one, index) => (one === status ? [index + 1] : []))),
    ]);
  });
  const unproven = UNPROVEN.map((runtimeId) => [`\`${runtimeId}\``, 'unproven here', `1–${cases.length}`]);
  return `${table(['number', 'behaviour'], behaviours)}\n\n${table(['runtime', 'status', 'behaviours'], [...runtimes, ...unproven])}`;
}

const PROVED = 'proved';

function table(headers: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [headers, headers.map(() => '---'), ...rows].map(line).join('\n');
}

/** Ascending numbers, with consecutive ones as a range. */
function ranges(numbers: readonly number[]): string {
  const groups: [first: number, last: number][] = [];
  for (const number of numbers) {
    const group = groups.at(-1);
    if (group && group[1] === number - 1) group[1] = number;
    else groups.push([number, number]);
  }
  return groups.map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`)).join(', ');
}

/** The document with the current table between its marks. */
export function withTable(document: string): string {
  const [before, rest = ''] = document.split(TABLE_START);
  const [, after = ''] = rest.split(TABLE_END);
  return `${before}${TABLE_START}\n\n${conformanceTable()}\n\n${TABLE_END}${after}`;
}
