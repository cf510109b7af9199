import { conformance } from './cases.ts';
import { EXCEPTIONS } from './exceptions.ts';

/** The marks around the table in the documentation. */
export const TABLE_START = '<!-- conformance: written by libs/harness/scripts/conformance-table.mjs -->';
export const TABLE_END = '<!-- end of conformance -->';

/** The behaviours of the conformance suite and the runtimes that they apply to, as a Markdown table. */
export function conformanceTable(): string {
  const runtimes = Object.keys(EXCEPTIONS).map((runtimeId) => {
    const applicable = conformance({ without: EXCEPTIONS[runtimeId] ?? {} });
    return { runtimeId, names: new Set(applicable.map(({ name }) => name)) };
  });
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rows = conformance({}).map(({ name }) =>
    row([name, ...runtimes.map(({ names }) => (names.has(name) ? 'yes' : '–'))]),
  );
  return [
    row(['behaviour', ...runtimes.map(({ runtimeId }) => `\`${runtimeId}\``)]),
    row(['---', ...runtimes.map(() => '---')]),
    ...rows,
  ].join('\n');
}

/** The document with the current table between its marks. */
export function withTable(document: string): string {
  const [before, rest = ''] = document.split(TABLE_START);
  const [, after = ''] = rest.split(TABLE_END);
  return `${before}${TABLE_START}\n\n${conformanceTable()}\n\n${TABLE_END}${after}`;
}
