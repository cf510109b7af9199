import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BUILT_IN_ADAPTERS, createRegistry, type ModelEndpoint } from '@reins/harness';
import { type ConformanceSubject, drive, installedCodex } from '@reins/harness/conformance';
import { modelFacts } from '@reins/model-catalog';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { ModelDoor } from './model-door.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const PATHS = {
  'openai-completions': ['openai', '/v1'],
  'openai-responses': ['openai', '/v1'],
  'anthropic-messages': ['anthropic', ''],
  'google-generative-ai': ['google', '/v1beta'],
} as const;

const model = await startScriptedModel({
  scenarios: { work: [{ tool: { kind: 'write', file: 'a.txt', content: 'x' } }, { text: '{"done": true}' }] },
});
const registry = createRegistry(BUILT_IN_ADAPTERS);
let door: ModelDoor;
let harnessesDir: string;
beforeAll(async () => {
  door = await ModelDoor.start();
  harnessesDir = await installedCodex();
});
afterAll(async () => {
  await door.close();
  await model.close();
});

/** Real clients, with everything that a run can ask of them. The door allows only the fields that it knows. */
test.each<[string, ModelEndpoint['api'], string, string | null]>([
  ['pi', 'openai-completions', 'gpt-4o', null],
  ['pi', 'openai-completions', 'gpt-5.4', 'high'],
  ['pi', 'openai-responses', 'gpt-4o', null],
  ['pi', 'openai-responses', 'o3', 'medium'],
  ['pi', 'anthropic-messages', 'claude-haiku-4-5', null],
  ['pi', 'anthropic-messages', 'claude-sonnet-4-5', '4000'],
  ['pi', 'anthropic-messages', 'claude-opus-4-6', 'high'],
  ['pi', 'google-generative-ai', 'gemini-2.5-pro', null],
  ['pi', 'google-generative-ai', 'gemini-2.5-flash', '2000'],
  ['openai_chat', 'openai-completions', 'gpt-4o', null],
  ['openai_chat', 'openai-completions', 'o3', 'high'],
  ['openai_chat', 'anthropic-messages', 'claude-sonnet-4-5', '4000'],
  ['openai_chat', 'google-generative-ai', 'gemini-2.5-pro', null],
  ['codex', 'openai-responses', 'gpt-5.4', 'high'],
  ['codex', 'openai-responses', 'gpt-4o', null],
])('%s, %s: the door allows all calls to %s with thinking %j', async (runtimeId, api, modelId, thinkingValue) => {
  const [provider, path] = PATHS[api];
  const access = door.open({
    endpoint: { api, baseUrl: `${model.url}/s/work${path}`, apiKey: 'k' },
    named: { provider, model: modelId },
    model: modelFacts({ providerId: provider, modelId }),
  });
  const subject: ConformanceSubject = {
    adapter: registry.get(runtimeId),
    endpoint: () => access.endpoint,
    instruction: (_scenario, text) => text,
    folder: () => tempDir('clients'),
    settings: runtimeId === 'codex' ? {} : { maxOutputTokens: 8000 },
    harnessesDir,
  };
  const workDir = await tempDir('clients-work');
  await writeFile(join(workDir, 'dot.png'), Buffer.from(PIXEL, 'base64'));
  const driven = await drive(subject, 'text', 'Look at the image, then write a file.', {
    workDir,
    modelId,
    thinkingValue,
    model: modelFacts({ providerId: provider, modelId }),
    attachments: [{ path: 'dot.png', mediaType: 'image/png' }],
    outputSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
    outputRetries: 0,
  });
  const { result } = await driven.result();
  expect(result).toMatchObject({ status: 'ok', output: { done: true } });
  expect(await access.end()).toMatchObject({ source: 'reported' });
});
