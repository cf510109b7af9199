import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ScriptedModel, startScriptedModel } from '../server.ts';
import { toolCallScript } from './tool-call-script.ts';

let model: ScriptedModel;
let file: string;
const tool = (name: string) => ({ type: 'function', function: { name, parameters: { properties: { city: {} } } } });
const FORECAST = 'mcp__workspace_03f3__forecast';

beforeAll(async () => {
  file = join(mkdtempSync(join(tmpdir(), 'reins-script-')), 'script.json');
  model = await startScriptedModel({ files: { quickstart: file } });
});
afterAll(async () => {
  await model.close();
  rmSync(dirname(file), { recursive: true });
});

/** The answer to a request of a stage. */
async function ask(stage: string, messages: readonly object[], tools: readonly string[]) {
  const system = { role: 'system', content: `Reins stage: ${stage}\nReins iteration: 1` };
  const body = { model: 'm', messages: [system, ...messages], tools: tools.map(tool) };
  const url = `${model.url}/s/quickstart/v1/chat/completions`;
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return ((await response.json()) as { choices: [{ message: { content: string; tool_calls?: object[] } }] }).choices[0]
    .message;
}

const CALL = [{ role: 'user', content: 'Weather?' }];
const verdictOn = async (output: string) =>
  JSON.parse((await ask('evaluate', [{ role: 'user', content: `Judge this:\n${output}` }], [])).content);

test('a script calls a tool by its last part, and says that it was called', async () => {
  writeFileSync(file, JSON.stringify(toolCallScript('workspace.forecast', { city: 'Oslo' })));
  const asked = await ask('execute', CALL, ['read', FORECAST]);
  expect(asked.tool_calls).toMatchObject([{ function: { name: FORECAST, arguments: '{"city":"Oslo"}' } }]);
  const answered = await ask(
    'execute',
    [...CALL, asked, { role: 'tool', tool_call_id: 'c', content: 'clear' }],
    [FORECAST],
  );
  expect(answered.content).toBe('called workspace.forecast: clear');
  expect(await verdictOn(answered.content)).toMatchObject({ outcome: 'pass', reasons: ['called workspace.forecast'] });
});

test.each([
  'Error: no such city: Oslo',
  'TypeError: x is not a function',
  'invalid arguments: city must be string',
  'Validation failed for tool "mcp__workspace_03f3__forecast":\n  - city: must have required properties city',
  'MCP error -32602: Input validation error: Invalid arguments for tool forecast',
  'denied: gated',
])('a call that fails is not claimed as a success: %s', async (content) => {
  writeFileSync(file, JSON.stringify(toolCallScript('workspace.forecast', {})));
  const asked = await ask('execute', CALL, [FORECAST]);
  const { content: answer } = await ask(
    'execute',
    [...CALL, asked, { role: 'tool', tool_call_id: 'c', content }],
    [FORECAST],
  );
  expect(answer).toBe(`workspace.forecast failed: ${content}`);
  expect(await verdictOn(answer)).toMatchObject({ outcome: 'fail', reasons: ['workspace.forecast failed'] });
});

test('without the tool, it lists what is offered, and evaluate does not pass', async () => {
  writeFileSync(file, JSON.stringify(toolCallScript('forecast', {})));
  const { content } = await ask('execute', [], ['read', 'forecaster']);
  expect(content).toBe('forecast was not offered. Offered tools: read, forecaster');
  expect(await verdictOn(content)).toMatchObject({ outcome: 'fail', reasons: ['forecast was not offered'] });
  expect(await verdictOn('Something else.')).toMatchObject({ outcome: 'fail' });
  expect((await ask('interview', [], [])).content).toMatch(/^Brief/);
});

test('the file applies at once, and its removal too', async () => {
  const interview = async () => (await ask('interview', [], [])).content;
  writeFileSync(file, JSON.stringify([{ text: 'Mine.' }]));
  expect(await interview()).toBe('Mine.');
  writeFileSync(file, JSON.stringify([{ text: 'Mine again.' }]));
  expect(await interview()).toBe('Mine again.');
  rmSync(file);
  expect(await interview()).toMatch(/^Brief/);
});
