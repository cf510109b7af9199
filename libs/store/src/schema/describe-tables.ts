import { TABLES } from '../read-model.ts';
import { isNullable, sqlTypeOf } from './table.ts';

/** The tables of the read model in Markdown, as docs/sql.md has them. */
export function describeTables(): string {
  return TABLES.map((table) => {
    const rows = Object.entries(table.columns).map(([name, spec]) => {
      const key = table.key.includes(name) ? 'primary key' : '';
      return `| \`${name}\` | ${sqlTypeOf(spec)} | ${isNullable(spec) ? 'yes' : 'no'} | ${key} |`;
    });
    const header = ['| column | type | null | key |', '|---|---|---|---|'];
    return [`### \`${table.name}\``, '', ...wrapped(table.meaning), '', ...header, ...rows].join('\n');
  }).join('\n\n');
}

const WIDTH = 120;

function wrapped(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
