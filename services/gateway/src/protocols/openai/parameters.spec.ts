import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CHAT_PARAMETERS } from './chat/chat-call.ts';
import { RESPONSE_PARAMETERS } from './responses/response-call.ts';

const document = readFileSync(new URL('../../../../../docs/protocols.md', import.meta.url), 'utf8');

/** The parameters of a section by their effect. */
function documented(heading: string): Map<string, string> {
  const [, section = ''] = document.split(`\n### ${heading}\n`);
  const rows = section.slice(0, section.indexOf('\n### ')).matchAll(/^\| (`.*) \| (.*) \|$/gm);
  const named = [...rows].flatMap(([, names = '', effect = '']) =>
    [...names.matchAll(/`(\w{2,}|n)`(?! or| and)/g)].map(([, name = '']) => [name, effect] as const),
  );
  return new Map(named.filter(([name]) => name !== 'auto' && name !== 'none'));
}

test.each([
  ['Parameters of a chat completion', CHAT_PARAMETERS],
  ['Responses', RESPONSE_PARAMETERS],
])('docs/protocols.md lists every parameter with its effect: %s', (heading, parameters) => {
  const rows = documented(heading);
  expect([...rows.keys()].sort()).toEqual(Object.keys(parameters).sort());
  for (const [name, effect] of rows) {
    const parameter = parameters[name];
    const kind = effect === 'none' ? 'ignored' : effect.startsWith('refused') ? 'refused' : 'used';
    expect([name, typeof parameter === 'string' ? parameter : 'refused']).toEqual([name, kind]);
  }
});
