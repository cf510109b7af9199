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

test('a script calls a tool by its last part, and answers with the result', async () => {
  writeFileSync(file, JSON.stringify(toolCallScript('workspace.forecast', { city: 'Oslo' })));
  const asked = await ask('execute', [{ role: 'user', content: 'Weather?' }], ['read', FORECAST]);
  expect(asked.tool_calls).toMatchObject([{ function: { name: FORECAST, arguments: '{"city":"Oslo"}' } }]);
  const result = [asked, { role: 'tool', tool_call_id: 'c', content: 'clear' }];
  const answered = await ask('execute', [{ role: 'user', content: 'Weather?' }, ...result], [FORECAST]);
  expect(answered.content).toBe('The tool workspace.forecast returned: clear');
});

test('without the tool, it lists what is offered; the other stages pass', async () => {
  writeFileSync(file, JSON.stringify(toolCallScript('forecast', {})));
  expect((await ask('execute', [], ['read', 'forecaster'])).content).toBe(
    'The tool forecast is not offered. Offered tools: read, forecaster',
  );
  expect(JSON.parse((await ask('evaluate', [], [])).content)).toMatchObject({ outcome: 'pass' });
  expect((await ask('interview', [], [])).content).toMatch(/^Brief/);
});

test('the file applies at once, and its removal too', async () => {
  const said = async () => (await ask('interview', [], [])).content;
  writeFileSync(file, JSON.stringify([{ text: 'Mine.' }]));
  expect(await said()).toBe('Mine.');
  writeFileSync(file, JSON.stringify([{ text: 'Mine again.' }]));
  expect(await said()).toBe('Mine again.');
  rmSync(file);
  expect(await said()).toMatch(/^Brief/);
});
