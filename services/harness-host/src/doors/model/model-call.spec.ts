import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import type { ModelEndpoint } from '@reins/harness';
import { refusalOf } from './model-call.ts';

type Api = ModelEndpoint['api'];

const refusalFor = (api: Api, path: string, body: JsonObject, method = 'POST') =>
  refusalOf({ api, modelId: 'm-1' }, { method, path, body })?.code;

describe('the calls of a run', () => {
  test.each<[Api, string, JsonObject]>([
    ['openai-completions', '/chat/completions', { model: 'm-1', tools: [{ type: 'function', function: {} }] }],
    ['openai-responses', '/responses', { model: 'm-1', tools: [{ type: 'function' }, { type: 'custom' }] }],
    [
      'openai-responses',
      '/responses',
      { model: 'm-1', tools: [{ type: 'namespace', name: 'mcp__a', tools: [{ type: 'function' }] }] },
    ],
    ['openai-responses', '/chat/completions', { model: 'm-1' }],
    ['anthropic-messages', '/v1/messages', { model: 'm-1', tools: [{ name: 'read', input_schema: {} }] }],
    ['anthropic-messages', '/v1/messages', { model: 'm-1', tools: [{ type: 'bash_20250124', name: 'bash' }] }],
    ['anthropic-messages', '/v1/messages/count_tokens', { model: 'm-1' }],
    ['anthropic-messages', '/v1/chat/completions', { model: 'm-1' }],
    ['google-generative-ai', '/models/m-1:streamGenerateContent', { tools: [{ functionDeclarations: [] }] }],
    ['google-generative-ai', '/v1beta/models/m-1:generateContent', {}],
    ['google-generative-ai', '/openai/chat/completions', { model: 'm-1' }],
  ])('%s allows %s', (api, path, body) => expect(refusalFor(api, path, body)).toBeUndefined());

  test.each<[Api, string]>([
    ['openai-completions', '/files'],
    ['openai-completions', '/models'],
    ['openai-completions', '/chat/completions/'],
    ['openai-completions', '/chat/completions/../../files'],
    ['openai-completions', '//chat/completions'],
    ['openai-completions', '/responses'],
    ['openai-responses', '/responses/resp_1'],
    ['openai-responses', '/responses/resp_1/input_items'],
    ['anthropic-messages', '/v1/messages/batches'],
    ['anthropic-messages', '/v1/files'],
    ['google-generative-ai', '/v1beta/files'],
    ['google-generative-ai', '/v1beta/models/m-1:batchGenerateContent'],
    ['google-generative-ai', '/v1beta/cachedContents'],
  ])('%s refuses POST %s', (api, path) => expect(refusalFor(api, path, { model: 'm-1' })).toBe('model_call_unknown'));

  test.each(['GET', 'DELETE', 'PUT', 'post'])('refuses the method %s', (method) =>
    expect(refusalFor('openai-responses', '/responses', { model: 'm-1' }, method)).toBe('model_call_unknown'),
  );

  test.each<[Api, string, JsonObject]>([
    ['openai-completions', '/chat/completions', { model: 'm-2' }],
    ['openai-completions', '/chat/completions', {}],
    ['openai-completions', '/chat/completions', { model: ['m-1'] }],
    ['google-generative-ai', '/models/m-2:generateContent', { model: 'm-1' }],
    ['google-generative-ai', '/models/m-1%2F..%2Fm-2:generateContent', {}],
  ])('%s refuses another model: %s %j', (api, path, body) =>
    expect(refusalFor(api, path, body)).toBe('model_not_allowed'),
  );

  test('refuses a path that cannot be decoded', () =>
    expect(refusalFor('google-generative-ai', '/models/%E0%A4%A:generateContent', {})).toBe('model_not_allowed'));

  test.each<[Api, string, JsonObject]>([
    ['openai-completions', '/chat/completions', { web_search_options: {} }],
    ['openai-completions', '/chat/completions', { plugins: [{ id: 'web' }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'web_search' }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'namespace', tools: [{ type: 'web_search' }] }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'namespace', tools: [{ type: 'namespace', tools: [] }] }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'namespace', name: 'web' }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'mcp', server_url: 'https://other.test' }] }],
    ['openai-responses', '/responses', { input: [{ type: 'additional_tools', tools: [{ type: 'web_search' }] }] }],
    ['openai-responses', '/responses', { input: [{ type: 'tool_search_output', tools: [{ type: 'mcp' }] }] }],
    ['openai-responses', '/responses', { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] }],
    ['anthropic-messages', '/v1/messages', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['anthropic-messages', '/v1/messages', { mcp_servers: [{ type: 'url', url: 'https://other.test' }] }],
    ['google-generative-ai', '/models/m-1:generateContent', { tools: [{ googleSearch: {} }] }],
    [
      'google-generative-ai',
      '/models/m-1:generateContent',
      { tools: [{ functionDeclarations: [], codeExecution: {} }] },
    ],
    ['google-generative-ai', '/models/m-1:generateContent', { tools: { googleSearch: {} } }],
    ['google-generative-ai', '/models/m-1:generateContent', { tools: [{ type: 'custom', googleSearch: {} }] }],
    ['google-generative-ai', '/models/m-1:generateContent', { tools: [{ type: 'function', googleSearch: {} }] }],
    ['anthropic-messages', '/v1/messages', { tools: [{ name: 'web_search' }] }],
    ['openai-completions', '/chat/completions', { tools: ['web_search'] }],
  ])('%s refuses tools of the provider: %s %j', (api, path, body) =>
    expect(refusalFor(api, path, { model: 'm-1', ...body })).toBe('provider_tool_denied'),
  );

  test.each<[Api, string, JsonObject]>([
    ['openai-responses', '/responses', { previous_response_id: 'resp_1' }],
    ['openai-responses', '/responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
    ['openai-responses', '/responses', { input: [{ id: 'msg_1' }] }],
    ['openai-responses', '/responses', { input: [{ type: null, id: 'msg_1' }] }],
    ['openai-responses', '/responses', { input: [{ type: 'mcp_approval_response', approval_request_id: 'a' }] }],
    ['openai-responses', '/responses', { input: [{ type: 'code_interpreter_call', container_id: 'c' }] }],
    ['openai-responses', '/responses', { background: true }],
    ['google-generative-ai', '/models/m-1:countTokens', { generateContentRequest: { model: 'models/m-2' } }],
    [
      'google-generative-ai',
      '/models/m-1:generateContent',
      { contents: [{ parts: [{ functionResponse: { parts: [{ fileData: { fileUri: 'u' } }] } }] }] },
    ],
    ['openai-responses', '/responses', { input: [{ type: 'image_generation_call', id: 'ig_1' }] }],
    ['openai-completions', '/chat/completions', { messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] }],
    [
      'google-generative-ai',
      '/models/m-1:generateContent',
      { system_instruction: { parts: [{ file_data: { file_uri: 'u' } }] } },
    ],
    ['openai-responses', '/responses', { input: [{ content: [{ type: 'input_file', file_id: 'file_1' }] }] }],
    [
      'openai-completions',
      '/chat/completions',
      { messages: [{ content: [{ type: 'file', file: { file_id: 'f' } }] }] },
    ],
    ['anthropic-messages', '/v1/messages', { messages: [{ content: [{ source: { type: 'file', file_id: 'f' } }] }] }],
    ['anthropic-messages', '/v1/messages', { container: 'c' }],
    ['google-generative-ai', '/models/m-1:generateContent', { cachedContent: 'cachedContents/1' }],
    [
      'google-generative-ai',
      '/models/m-1:generateContent',
      { contents: [{ parts: [{ fileData: { fileUri: 'u' } }] }] },
    ],
  ])('%s refuses stored objects: %s %j', (api, path, body) =>
    expect(refusalFor(api, path, { model: 'm-1', ...body })).toBe('stored_object_denied'),
  );

  test.each([
    ...['models', 'fallbacks', 'api_base', 'api_key', 'extra_headers', 'headers', 'default_headers', 'preset', 'Model'],
    ...['aws_bedrock_runtime_endpoint', 'azure_endpoint', 'langfuse_host', 'model_list', 'API_BASE', 'provider'],
    ...['speed', 'chat_template', 'providerOptions', 'field_of_tomorrow', '__proto__'],
  ])('refuses the unknown field %s in each API, and names it', (field) => {
    const body = { model: 'm-1', ...Object.fromEntries([[field, ['m-2']]]) };
    const calls: [Api, string][] = [
      ['openai-completions', '/chat/completions'],
      ['openai-responses', '/responses'],
      ['anthropic-messages', '/v1/messages'],
      ['anthropic-messages', '/v1/messages/count_tokens'],
      ['google-generative-ai', '/models/m-1:generateContent'],
      ['google-generative-ai', '/openai/chat/completions'],
    ];
    for (const [api, path] of calls)
      expect(refusalOf({ api, modelId: 'm-1' }, { method: 'POST', path, body })).toMatchObject({
        status: 403,
        code: 'model_field_denied',
        path: field,
        hint: expect.any(String),
      });
  });

  test.each(['priority', 'scale', 'fast', 1, ['default']])('refuses the service tier %j, which costs more', (tier) =>
    expect(
      refusalOf(
        { api: 'openai-responses', modelId: 'm-1' },
        { method: 'POST', path: '/responses', body: { model: 'm-1', service_tier: tier } },
      ),
    ).toMatchObject({ code: 'model_field_denied', path: 'service_tier' }),
  );

  test.each(['auto', 'default', 'flex', 'standard_only', null])('allows the service tier %j', (tier) =>
    expect(refusalFor('openai-responses', '/responses', { model: 'm-1', service_tier: tier })).toBeUndefined(),
  );

  test('allows an item that adds tools of the client', () => {
    const input = [{ type: 'additional_tools', tools: [{ type: 'function', name: 'a' }] }];
    expect(refusalFor('openai-responses', '/responses', { model: 'm-1', input })).toBeUndefined();
  });

  test('allows only the model of the path in the body of a call to Google', () => {
    const path = '/models/m-1:generateContent';
    expect(refusalFor('google-generative-ai', path, { model: 'models/m-1' })).toBeUndefined();
    for (const model of ['m-2', 'models/m-2', ['m-1'], 1])
      expect(refusalFor('google-generative-ai', path, { model })).toBe('model_not_allowed');
  });

  test('allows arguments and schemas of tools with the same field names', () => {
    const input = { file_id: 'f', previous_response_id: 'r' };
    const tools = [{ name: 't', input_schema: { properties: { file_id: { type: 'string' } } } }];
    const messages = [{ content: [{ type: 'tool_use', name: 't', input }] }];
    expect(refusalFor('anthropic-messages', '/v1/messages', { model: 'm-1', tools, messages })).toBeUndefined();
    const contents = [{ parts: [{ functionCall: { args: { fileUri: 'u' } } }] }];
    expect(refusalFor('google-generative-ai', '/models/m-1:generateContent', { contents })).toBeUndefined();
  });
});
