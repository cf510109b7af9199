import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import decideCalls, { CALLS_VARIABLE, type CallSettings } from './call-extension.ts';

type Handler = Parameters<Parameters<typeof decideCalls>[0]['on']>[1];

afterEach(() => {
  delete process.env[CALLS_VARIABLE];
});

/** What the extension answers to a call of pi. */
async function answerTo(settings: CallSettings | undefined, toolName: string, input: unknown = {}) {
  if (settings) process.env[CALLS_VARIABLE] = JSON.stringify(settings);
  const handlers: Handler[] = [];
  decideCalls({ on: (_, handler) => handlers.push(handler) });
  return handlers[0]?.({ toolName, input });
}

const outside = { path: join(process.cwd(), '..', 'outside.txt') };

test.each([
  [{ tools: ['read'], isConfined: true }, 'read', { path: 'a.txt' }, undefined],
  [{ tools: ['mcp__notes__read'], isConfined: true }, 'mcp__notes__read', outside, undefined],
  [{ tools: ['read'], isConfined: false }, 'read', outside, undefined],
  [{ tools: ['read'], isConfined: true }, 'read', outside, 'workspace boundary policy'],
  [{ tools: ['read'], isConfined: true }, 'bash', { command: 'id' }, '(tool_not_allowed)'],
  [{ tools: ['read'], isConfined: false }, 'bash', { command: 'id' }, '(tool_not_allowed)'],
  [undefined, 'read', { path: 'a.txt' }, '(tool_not_allowed)'],
])('with %j, a call of %s %j is blocked: %s', async (settings, tool, input, reason) => {
  const expected = reason === undefined ? undefined : { block: true, reason: expect.stringContaining(reason) };
  expect(await answerTo(settings, tool, input)).toEqual(expected);
});
