import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { CHAT_PARAMETERS } from './chat/chat-call.ts';

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

test('docs/protocols.md lists every parameter of chat completions with its effect', () => {
  const rows = documented('Parameters of a chat completion');
  expect([...rows.keys()].sort()).toEqual(Object.keys(CHAT_PARAMETERS).sort());
  for (const [name, effect] of rows) {
    const parameter = CHAT_PARAMETERS[name];
    const kind = effect === 'none' ? 'ignored' : effect.startsWith('refused') ? 'refused' : 'used';
    expect([name, typeof parameter === 'string' ? parameter : 'refused']).toEqual([name, kind]);
  }
});
