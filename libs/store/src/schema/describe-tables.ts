import { isNullable, sqlTypeOf, type Table } from './table.ts';
import { TABLES } from './tables.ts';

type Name = (typeof TABLES)[number]['name'];

const MEANINGS: Readonly<Record<Name, string>> = {
  requests: 'Requests and their child runs. `status`: `running`, `waiting`, `completed`, `failed` or `cancelled`.',
  sessions: 'Conversations, each with its last request and tree.',
  stage_runs:
    'Attempts at stages. `status`: `requested`, `running`, `waiting`, `completed`, `failed` or `cancelled`. `timings` are milliseconds by step.',
  events: 'Every fact, signal and directive, once per id. `body` is the event as in events.md.',
  unreadable_messages: 'Messages of the event log that are not valid events.',
  trace_views: 'The events of each trace view. `ce_id` refers to `events`.',
  usage: 'Tokens and cost, one row per report. `cost_usd` is null if no price of the model is known.',
  artifacts: 'Files that a run produced for the user.',
  approvals: 'Approvals and breakpoints. `status`: `requested`, `approved`, `denied` or `expired`.',
  projection_checkpoints: 'The last event that the tables include.',
};

/** The tables of the read model in Markdown, as docs/sql.md has them. */
export function describeTables(): string {
  return TABLES.map((table: Table) => {
    const rows = Object.entries(table.columns).map(([name, spec]) => {
      const key = table.key.includes(name) ? 'primary key' : '';
      return `| \`${name}\` | ${sqlTypeOf(spec)} | ${isNullable(spec) ? 'yes' : 'no'} | ${key} |`;
    });
    const header = ['| column | type | null | key |', '|---|---|---|---|'];
    return [`### \`${table.name}\``, '', ...wrapped(MEANINGS[table.name as Name]), '', ...header, ...rows].join('\n');
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
