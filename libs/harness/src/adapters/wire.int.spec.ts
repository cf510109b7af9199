import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { modelFacts } from '@reins/model-catalog';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive } from '../conformance/index.ts';
import type { ModelEndpoint } from '../contract.ts';
import { openaiChatAdapter, piAdapter } from '../index.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const model = await startScriptedModel({
  scenarios: { work: [{ tool: { kind: 'write', file: 'a.txt', content: 'x' } }, { text: '{"done": true}' }] },
});
afterAll(() => model.close());

const PATHS = {
  'openai-completions': ['openai', '/v1'],
  'openai-responses': ['openai', '/v1'],
  'anthropic-messages': ['anthropic', ''],
  'google-generative-ai': ['google', '/v1beta'],
} as const;
const ADAPTERS = { pi: piAdapter, openai_chat: openaiChatAdapter };

/** The scripted model refuses the fields that the vendor of a model would refuse. */
test.each<[keyof typeof ADAPTERS, ModelEndpoint['api'], string, string | null]>([
  ['pi', 'openai-completions', 'gpt-4o', null],
  ['pi', 'openai-completions', 'gpt-5.4', 'high'],
  ['pi', 'openai-responses', 'gpt-4o', null],
  ['pi', 'openai-responses', 'o3', 'medium'],
  ['pi', 'anthropic-messages', 'claude-haiku-4-5', null],
  ['pi', 'anthropic-messages', 'claude-sonnet-4-5', '4000'],
  ['pi', 'google-generative-ai', 'gemini-2.5-pro', null],
  ['pi', 'google-generative-ai', 'gemini-2.5-flash', '2000'],
  ['openai_chat', 'openai-completions', 'gpt-4o', null],
  ['openai_chat', 'openai-completions', 'o3', 'high'],
  ['openai_chat', 'anthropic-messages', 'claude-haiku-4-5', null],
  ['openai_chat', 'google-generative-ai', 'gemini-2.5-pro', null],
])('%s, %s: %s with thinking %j accepts a turn with a tool, an image and an output schema', async (...row) => {
  const [runtime, api, modelId, thinkingValue] = row;
  const [providerId, path] = PATHS[api];
  const subject: ConformanceSubject = {
    adapter: ADAPTERS[runtime],
    endpoint: () => ({ api, baseUrl: `${model.url}/s/work${path}`, apiKey: 'k' }),
    instruction: (_scenario, text) => text,
    folder: () => tempDir('wire'),
    settings: { maxOutputTokens: 8000 },
  };
  const workDir = await tempDir('wire-work');
  await writeFile(join(workDir, 'dot.png'), Buffer.from(PIXEL, 'base64'));
  const before = model.requests().length;
  const { result } = await drive(subject, 'text', 'Look at the image, then write a file.', {
    workDir,
    modelId,
    thinkingValue,
    model: modelFacts({ providerId, modelId }),
    attachments: [{ path: 'dot.png', mediaType: 'image/png' }],
    outputSchema: { type: 'object', properties: { done: { type: 'boolean' } }, required: ['done'] },
    outputRetries: 0,
  });
  expect((await result()).result).toMatchObject({ status: 'ok', output: { done: true } });
  const answers = model
    .requests()
    .slice(before)
    .map(({ answer }) => answer);
  expect(answers).toHaveLength(2);
  expect(JSON.stringify(model.requests().slice(before)[0]?.body)).toContain(PIXEL);
});
