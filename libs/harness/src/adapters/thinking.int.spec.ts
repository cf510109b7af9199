import { afterAll, expect, test } from '@jest/globals';
import { modelFacts } from '@reins/model-catalog';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive, installedCodex } from '../conformance/index.ts';
import type { ModelEndpoint } from '../contract.ts';
import { codexAdapter, openaiChatAdapter, piAdapter } from '../index.ts';

const model = await startScriptedModel();
afterAll(() => model.close());

/** The paths of the APIs, and the adapters. */
const PREFIXES: Readonly<Record<ModelEndpoint['api'], string>> = {
  'openai-completions': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '',
  'google-generative-ai': '/v1beta',
};
const ADAPTERS = { pi: piAdapter, openai_chat: openaiChatAdapter, codex: codexAdapter };
const PROVIDERS = {
  'openai-completions': 'openai',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  'google-generative-ai': 'google',
} as const;
/** Every field of a call that says something about thinking. */
const FIELDS = ['reasoning_effort', 'reasoning', 'thinking', 'output_config', 'include'];

/** What Codex sends if nothing asks for thinking. */
const CODEX_NOTHING = { reasoning: {}, include: ['reasoning.encrypted_content'] };

/** What a run sends to its model about thinking. The scripted model refuses what the vendor would refuse. */
async function sentBy(
  runtime: keyof typeof ADAPTERS,
  api: ModelEndpoint['api'],
  modelId: string,
  value: string | null,
) {
  const subject: ConformanceSubject = {
    adapter: ADAPTERS[runtime],
    endpoint: () => ({ api, baseUrl: `${model.url}/s/text${PREFIXES[api]}`, apiKey: 'k' }),
    instruction: (_scenario, text) => text,
    folder: () => tempDir('thinking'),
    ...(runtime === 'codex' && { harnessesDir: await installedCodex() }),
  };
  const facts = modelFacts({ providerId: PROVIDERS[api], modelId });
  const { result } = await drive(subject, 'text', 'Hello.', { modelId, model: facts, thinkingValue: value });
  expect((await result()).result).toMatchObject({ status: 'ok' });
  const body = model.requests().at(-1)?.body as Record<string, unknown>;
  const { thinkingConfig } = (body.generationConfig ?? {}) as { thinkingConfig?: unknown };
  const fields = Object.entries({ ...body, thinkingConfig }).filter(([name]) =>
    [...FIELDS, 'thinkingConfig'].includes(name),
  );
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined));
}

test.each<[keyof typeof ADAPTERS, ModelEndpoint['api'], string, string | null, object]>([
  // Nothing asked, nothing sent; and nothing to a model that does not think.
  ['pi', 'openai-completions', 'gpt-4o', null, {}],
  ['pi', 'openai-completions', 'gpt-4o', 'high', {}],
  ['pi', 'openai-responses', 'gpt-4o', null, {}],
  ['pi', 'openai-completions', 'gpt-5.4', null, {}],
  ['pi', 'openai-responses', 'gpt-5.4', null, { include: ['reasoning.encrypted_content'] }],
  ['pi', 'anthropic-messages', 'claude-haiku-4-5', null, {}],
  ['pi', 'google-generative-ai', 'gemini-2.5-pro', null, {}],
  ['openai_chat', 'openai-completions', 'gpt-4o', null, {}],
  ['openai_chat', 'openai-completions', 'gpt-4o', 'high', {}],
  ['openai_chat', 'anthropic-messages', 'claude-haiku-4-5', null, {}],
  ['openai_chat', 'google-generative-ai', 'gemini-2.5-pro', null, {}],
  // For models that do not think, the model door removes these fields.
  ['codex', 'openai-responses', 'gpt-5.4', null, CODEX_NOTHING],
  // Levels.
  [
    'codex',
    'openai-responses',
    'gpt-5.4',
    'high',
    { ...CODEX_NOTHING, reasoning: { effort: 'high', summary: 'auto' } },
  ],
  ['codex', 'openai-responses', 'o3', 'xhigh', { ...CODEX_NOTHING, reasoning: { effort: 'high', summary: 'auto' } }],
  ['codex', 'openai-responses', 'gpt-5.4', '3000', { ...CODEX_NOTHING, reasoning: { effort: 'low', summary: 'auto' } }],
  ['codex', 'openai-responses', 'gpt-5.4', 'off', { ...CODEX_NOTHING, reasoning: { effort: 'none' } }],
  ['codex', 'openai-responses', 'o3', 'off', { ...CODEX_NOTHING, reasoning: { effort: 'low', summary: 'auto' } }],
  ['pi', 'openai-completions', 'gpt-5.4', 'high', { reasoning_effort: 'high' }],
  ['pi', 'openai-completions', 'gpt-5.4', 'minimal', { reasoning_effort: 'low' }],
  ['pi', 'openai-completions', 'gpt-5.4', 'xhigh', { reasoning_effort: 'xhigh' }],
  [
    'pi',
    'openai-responses',
    'o3',
    'high',
    { reasoning: { effort: 'high', summary: 'auto' }, include: expect.anything() },
  ],
  [
    'pi',
    'anthropic-messages',
    'claude-opus-4-8',
    'medium',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
  ],
  ['pi', 'google-generative-ai', 'gemini-3.5-flash', 'low', { thinkingConfig: { thinkingLevel: 'LOW' } }],
  ['pi', 'anthropic-messages', 'claude-haiku-4-5', 'low', { thinking: { type: 'enabled', budget_tokens: 2048 } }],
  ['openai_chat', 'openai-completions', 'gpt-5.4', 'high', { reasoning_effort: 'high' }],
  ['openai_chat', 'openai-completions', 'o3', 'xhigh', { reasoning_effort: 'high' }],
  [
    'openai_chat',
    'anthropic-messages',
    'claude-opus-4-8',
    'high',
    { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
  ],
  // Budgets.
  ['pi', 'anthropic-messages', 'claude-sonnet-4-5', '5000', { thinking: { type: 'enabled', budget_tokens: 5000 } }],
  ['pi', 'anthropic-messages', 'claude-sonnet-4-5', '100', { thinking: { type: 'enabled', budget_tokens: 1024 } }],
  ['pi', 'google-generative-ai', 'gemini-2.5-pro', '3000', { thinkingConfig: { thinkingBudget: 3000 } }],
  ['pi', 'google-generative-ai', 'gemini-2.5-flash', '-1', { thinkingConfig: { thinkingBudget: -1 } }],
  ['pi', 'openai-completions', 'gpt-5.4', '3000', { reasoning_effort: 'low' }],
  [
    'openai_chat',
    'anthropic-messages',
    'claude-sonnet-4-5',
    '5000',
    { thinking: { type: 'enabled', budget_tokens: 5000 } },
  ],
  ['openai_chat', 'google-generative-ai', 'gemini-2.5-pro', '3000', { reasoning_effort: 'low' }],
  // Off.
  ['pi', 'openai-completions', 'gpt-5.4', 'off', { reasoning_effort: 'none' }],
  ['pi', 'openai-completions', 'o3', 'off', { reasoning_effort: 'low' }],
  ['pi', 'anthropic-messages', 'claude-sonnet-4-5', 'off', { thinking: { type: 'disabled' } }],
  ['pi', 'google-generative-ai', 'gemini-2.5-flash', 'off', { thinkingConfig: { thinkingBudget: 0 } }],
  ['pi', 'google-generative-ai', 'gemini-2.5-pro', 'off', { thinkingConfig: { thinkingBudget: 1024 } }],
  ['openai_chat', 'openai-completions', 'gpt-5.4', 'off', { reasoning_effort: 'none' }],
  ['openai_chat', 'openai-completions', 'o3', 'off', { reasoning_effort: 'low' }],
  ['openai_chat', 'anthropic-messages', 'claude-sonnet-4-5', 'off', { thinking: { type: 'disabled' } }],
  // Unknown models get what was asked.
  ['pi', 'openai-completions', 'local-model', 'high', { reasoning_effort: 'high' }],
  ['openai_chat', 'openai-completions', 'local-model', 'off', { reasoning_effort: 'none' }],
])('%s, %s: %s with %j sends %j', async (runtime, api, modelId, value, expected) => {
  const sent = await sentBy(runtime, api, modelId, value);
  expect(Object.keys(sent).sort()).toEqual(Object.keys(expected).sort());
  expect(sent).toMatchObject(expected);
});
