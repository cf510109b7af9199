import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const docs = (name: string): string => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');
const page = docs('api.md');
const schema = JSON.parse(docs('events.schema.json')) as {
  readonly $defs: Record<string, { readonly properties: Record<string, { readonly enum: readonly string[] }> }>;
};
const openapi = docs('openapi.json');

/** The names that a list of docs/api.md explains. @param start how the line before the list starts */
function explained(start: string): string[] {
  const after = page.slice(page.indexOf(`\n${start}`) + 1);
  const list = /\n\n((?:- .*\n(?: {2}.*\n)*)+)/.exec(after)?.[1] ?? '';
  return [...list.matchAll(/^- `(\w+)`:/gm)].map(([, name]) => String(name)).toSorted();
}

test('docs/api.md explains every status, reason to wait and directive', () => {
  const { RuntimeRequestWaiting: waiting, ControlDirectiveEmitted: directive } = schema.$defs;
  // A task is requested while the run works, so no fact says that the run waits for it.
  const reasons = [...(waiting?.properties.reason?.enum ?? []), 'task'];
  expect(explained('Values of `waiting.reason`:')).toEqual(reasons.toSorted());
  expect(explained('Directives are')).toEqual(directive?.properties.directive?.enum.toSorted());
  const statuses = explained('Statuses of a request:');
  expect(statuses).toEqual(['accepted', 'cancelled', 'completed', 'failed', 'running', 'waiting']);
  for (const status of statuses) expect(openapi).toContain(`"${status}"`);
});
