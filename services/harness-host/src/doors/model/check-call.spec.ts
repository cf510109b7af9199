import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { checkCall } from './check-call.ts';

function forwarded(api: ModelEndpoint['api'], path: string, body: JsonObject): JsonObject {
  const bytes = Buffer.from(JSON.stringify(body));
  const checked = checkCall({ api, modelId: 'm-1', method: 'POST', path, bytes });
  if ('refusal' in checked) throw new Error(`${checked.refusal.code}: ${checked.refusal.path}`);
  return JSON.parse(Buffer.from(checked.bytes).toString()) as JsonObject;
}

/** A call as Codex sends it. */
const OF_CODEX = {
  model: 'm-1',
  instructions: 'Work.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
  tools: [{ type: 'function', name: 'exec_command' }],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { effort: 'low' },
  store: false,
  stream: true,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'k',
  text: { verbosity: 'low' },
};

describe('a forwarded call', () => {
  test('has no empty fields about thinking for a model that does not think', () => {
    const sent = (more: JsonObject): JsonObject => {
      const bytes = Buffer.from(JSON.stringify({ model: 'm-1', input: [], ...more }));
      const call = { api: 'openai-responses', modelId: 'm-1', method: 'POST', path: '/responses', bytes } as const;
      const checked = checkCall({ ...call, isWithoutThinking: true });
      return 'bytes' in checked ? JSON.parse(Buffer.from(checked.bytes).toString()) : {};
    };
    const include = ['reasoning.encrypted_content'];
    expect(sent({ reasoning: {}, include })).toEqual({ model: 'm-1', input: [] });
    const logprobs = 'message.output_text.logprobs';
    const asked = { reasoning: { effort: 'low' }, include: [logprobs] };
    expect(sent({ ...asked, include: [...include, logprobs] })).toEqual({ model: 'm-1', input: [], ...asked });
  });

  test('has all fields that the executors send', () => {
    const calls: [ModelEndpoint['api'], string, JsonObject][] = [
      ['openai-responses', '/responses', OF_CODEX],
      [
        'openai-completions',
        '/chat/completions',
        { model: 'm-1', messages: [], store: false, max_completion_tokens: 9, reasoning_effort: 'low', tools: [] },
      ],
      [
        'anthropic-messages',
        '/v1/messages',
        { model: 'm-1', messages: [], max_tokens: 9, system: 's', thinking: { type: 'disabled' }, stream: true },
      ],
      [
        'google-generative-ai',
        '/models/m-1:generateContent',
        { contents: [], generationConfig: { temperature: 0 }, systemInstruction: { parts: [] }, toolConfig: {} },
      ],
    ];
    for (const [api, path, body] of calls) expect(forwarded(api, path, body)).toEqual(body);
  });

  test('has no field that only names a user or a group of calls', () => {
    const named = { user: 'u', safety_identifier: 's', metadata: { tags: ['other'] }, client_metadata: { a: 'b' } };
    expect(forwarded('openai-responses', '/responses', { ...OF_CODEX, ...named })).toEqual(OF_CODEX);
    const chat = { model: 'm-1', messages: [] };
    expect(forwarded('openai-completions', '/chat/completions', { ...chat, ...named, priority: -1 })).toEqual(chat);
    const claude = { ...chat, max_tokens: 9 };
    const withUser = { ...claude, metadata: { user_id: 'u' } };
    expect(forwarded('anthropic-messages', '/v1/messages', withUser)).toEqual(claude);
  });

  test('has no unknown field, also if it has no value', () => {
    const chat = { model: 'm-1', messages: [] };
    const empty = { previous_response_id: null, api_base: null, models: [], plugins: [], extra_headers: {} };
    expect(forwarded('openai-completions', '/chat/completions', { ...chat, ...empty })).toEqual(chat);
  });
});
