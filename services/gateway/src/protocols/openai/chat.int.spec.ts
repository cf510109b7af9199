import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import OpenAI, { APIError } from 'openai';
import { projectRequest } from '../../testing/project-request.ts';
import { RunEvents } from '../../testing/run-events.ts';
import { API_KEY, TestGateway } from '../../testing/test-gateway.ts';

type Params = OpenAI.ChatCompletionCreateParams;
type Chunk = OpenAI.ChatCompletionChunk;

let api: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  api = await TestGateway.start();
  client = new OpenAI({ baseURL: `${api.service.url}/v1`, apiKey: API_KEY, maxRetries: 0 });
  await api.post('/workspaces', { workspaceId: 'notes', files: workspace('writer') });
  await api.post('/workspaces', { workspaceId: 'dotted', files: workspace('notes.writer') });
  await api.post('/workspaces', { workspaceId: 'checked', files: workspace('writer', 'evaluate') });
});
afterAll(() => api.stop());

const workspace = (agent: string, ...more: readonly string[]) => [
  {
    path: 'workspace.yaml',
    content: `name: Notes\nagents: {id: ${agent}, model: openai/gpt-5.4}\nmcp_registry: {servers: {}}\npipeline: {stages: [execute${more.map((stage) => `, ${stage}`).join('')}]}\n`,
  },
  { path: 'AGENTS.md', content: 'You keep notes.\n' },
];

const hello: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: 'notes/writer',
  messages: [{ role: 'user', content: 'hello' }],
};

/** Starts a call. The test then plays the request. */
async function start<T>(call: () => Promise<T>): Promise<{ readonly result: Promise<T>; readonly run: RunEvents }> {
  const seen = (await api.commands()).length;
  const result = call();
  result.catch(() => undefined);
  return { result, run: await RunEvents.next(api, seen) };
}

async function chunksOf(stream: AsyncIterable<Chunk>): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return chunks;
}

const textOf = (chunks: readonly Chunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

const errorOf = (call: Promise<unknown>): Promise<APIError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: APIError) => error,
  );

describe('models', () => {
  test('are the agents of all workspaces', async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['checked/writer', 'checked'],
      ['dotted/main', 'dotted'],
      ['notes/writer', 'notes'],
    ]);
    expect(await client.models.retrieve('notes/writer')).toMatchObject({ id: 'notes/writer', object: 'model' });
    expect((await api.fetch('/v1/models/notes/writer')).status).toBe(200);
  });

  test.each(['other', 'notes/other', 'no such', 'notes/writer/more', '../keys', ''])('%p is not one', async (model) => {
    const error = await errorOf(client.chat.completions.create({ ...hello, model }));
    if (model === '') expect([error.status, error.param]).toEqual([400, 'model']);
    else expect([error.status, error.code, error.param]).toEqual([404, 'model_not_found', 'model']);
  });
});

describe('a chat completion', () => {
  test('is the output of a request', async () => {
    const { result, run } = await start(() => client.chat.completions.create({ ...hello, metadata: { trip: '7' } }));
    expect(run.submit).toMatchObject({ workspaceId: 'notes', agentId: 'writer', input: 'hello' });
    expect(run.submit.metadata).toMatchObject({ protocol: 'openai-compatible', trip: '7' });
    const usage = { stage: 'execute', runtimeId: 'pi', provider: 'openai', model: 'm', cachedInputTokens: 5 };
    await run.fact('runtime.usage.recorded', { ...usage, inputTokens: 10, outputTokens: 2 });
    await run.fact('runtime.usage.recorded', { ...usage, inputTokens: 20, outputTokens: 3 });
    await run.complete({ text: 'Hello.' });
    const completion = await result;
    expect(completion).toMatchObject({
      id: `chatcmpl-${run.submit.requestId}`,
      object: 'chat.completion',
      model: 'notes/writer',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 30,
        completion_tokens: 5,
        total_tokens: 35,
        prompt_tokens_details: { cached_tokens: 10 },
      },
      reins: { request_id: run.submit.requestId, session_id: run.submit.sessionId, status: 'completed' },
    });
    expect(completion._request_id).toBe(run.submit.requestId);
  });

  test('of a model without an agent is that of the default agent', async () => {
    const { result, run } = await start(() => client.chat.completions.create({ ...hello, model: 'notes' }));
    expect(run.submit).toMatchObject({ workspaceId: 'notes', agentId: 'main' });
    await run.complete('ok');
    expect((await result).choices[0]?.message.content).toBe('ok');
  });

  test('gets the conversation; with a session, only what is new', async () => {
    const messages: Params['messages'] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'My name is Ada.' },
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: [{ type: 'text', text: 'What is my name?' }] },
    ];
    const whole = await start(() => client.chat.completions.create({ ...hello, messages }));
    expect(whole.run.submit.input).toBe(
      [
        'The conversation so far:',
        'System: Be brief.',
        'User: My name is Ada.',
        'Assistant: Noted.',
        'The new message:',
        'What is my name?',
      ].join('\n\n'),
    );
    await whole.run.complete('Ada');
    await whole.result;
    const metadata = { session_id: 's-ada' };
    const known = await start(() => client.chat.completions.create({ ...hello, messages, metadata }));
    expect(known.run.submit).toMatchObject({ sessionId: 's-ada', input: 'What is my name?' });
    await known.run.complete('Ada');
    await known.result;
  });

  test('attaches images and files', async () => {
    const image = 'iVBORw0KGgo=';
    const content: OpenAI.ChatCompletionContentPart[] = [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
      { type: 'file', file: { filename: 'a.txt', file_data: `data:text/plain;base64,${btoa('hi')}` } },
    ];
    const { result, run } = await start(() =>
      client.chat.completions.create({ ...hello, messages: [{ role: 'user', content }] }),
    );
    expect(run.submit.attachments).toMatchObject([
      { mediaType: 'image/png', name: 'image.png', size: 8 },
      { mediaType: 'text/plain', name: 'a.txt', size: 2 },
    ]);
    const [first] = run.submit.attachments ?? [];
    const stored = await api.fetch(`/api/v1/blobs/${first?.sha256}`);
    expect(Buffer.from(await stored.arrayBuffer()).toString('base64')).toBe(image);
    await run.complete('A picture.');
    await result;
  });

  test('has the form of a JSON Schema', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const format = { type: 'json_schema', json_schema: { name: 'answer', schema } } as const;
    const call = { ...hello, response_format: format, stream: true } as const;
    const { result, run } = await start(async () => chunksOf(await client.chat.completions.create(call)));
    expect(run.submit.metadata).toMatchObject({ context: { outputSchema: schema } });
    await run.delta(1, '{"text": "not val');
    await run.complete({ text: 'valid' });
    expect(JSON.parse(textOf(await result))).toEqual({ text: 'valid' });
  });

  test('is the question of a request that waits for the user, and the next message in the session is the answer', async () => {
    const metadata = { session_id: 's-asked' };
    const { result, run } = await start(() => client.chat.completions.create({ ...hello, metadata }));
    const question = { effectId: 'e9', questionNumber: 1 };
    await run.fact('runtime.stage.waiting', {
      ...question,
      stage: 'execute',
      runtimeId: 'pi',
      question: 'Which colour?',
    });
    await run.fact('runtime.request.waiting', { ...question, reason: 'user' });
    expect(await result).toMatchObject({
      choices: [{ message: { content: 'Which colour?' }, finish_reason: 'stop' }],
      reins: { status: 'waiting', effect_id: 'e9', question_number: 1 },
    });
    await projectRequest(api, run.submit.requestId, 'notes');
    const seen = (await api.commands()).length;
    const answered = client.chat.completions.create({
      ...hello,
      messages: [...hello.messages, { role: 'assistant', content: 'Which colour?' }, { role: 'user', content: 'Blue' }],
      metadata,
    });
    await until(async () => (await api.commands()).length > seen);
    const { type, requestId } = (await api.commands()).at(-1) ?? {};
    expect([type, requestId]).toEqual(['command.run.answer', run.submit.requestId]);
    expect((await api.commands()).at(-1)).toMatchObject({ ...question, answer: 'Blue' });
    await run.fact('runtime.request.resumed', { effectId: 'e9' });
    await run.complete('It is blue.');
    expect((await answered).choices[0]?.message.content).toBe('It is blue.');
  });

  test('fails with the request, and is not repeated by the client', async () => {
    const eager = new OpenAI({ baseURL: `${api.service.url}/v1`, apiKey: API_KEY, maxRetries: 3 });
    const { result, run } = await start(() => eager.chat.completions.create(hello));
    const before = (await api.commands()).length;
    await run.fail({ code: 'harness_failed', message: 'the harness went away' });
    const error = await errorOf(result);
    expect([error.status, error.code]).toEqual([500, 'request_failed']);
    expect(error.message).toContain('the harness went away (harness_failed)');
    expect((await api.commands()).length).toBe(before);
  });

  test('with an idempotency key is the same request', async () => {
    const options = { headers: { 'idempotency-key': 'chat-1' } };
    const { result, run } = await start(() => client.chat.completions.create(hello, options));
    await run.complete('once');
    const [first, again] = [await result, await client.chat.completions.create(hello, options)];
    expect(again).toEqual(first);
    const other = { ...hello, messages: [{ role: 'user' as const, content: 'other' }] };
    const error = await errorOf(client.chat.completions.create(other, options));
    expect([error.status, error.code]).toEqual([409, 'idempotency_conflict']);
  });
});

describe('a streamed chat completion', () => {
  const streamed = { ...hello, stream: true, stream_options: { include_usage: true } } as const;

  test('has the text of the answering stage, progress that clients ignore, and the usage', async () => {
    const { result, run } = await start(async () => chunksOf(await client.chat.completions.create(streamed)));
    await run.delta(1, 'A thought of another stage.', { stage: 'interview', effectId: 'e0' });
    await run.signal(1, { phase: 'agent.handoff', modelRef: 'm', tools: [], subagents: [] });
    await run.delta(2, 'I look it up.');
    await run.signal(3, { phase: 'agent.tool.start', toolId: 'read', callId: 'c1', args: { path: 'secret.txt' } });
    await run.signal(4, { phase: 'agent.tool.result', toolId: 'read', callId: 'c1', output: 'x', error: null });
    await run.delta(5, 'It is ');
    await run.delta(6, 'seven.');
    await run.narrate('Reading.', 'runtime.stage.started');
    await run.complete({ text: 'It is seven.' });
    await run.narrate('Done.', 'runtime.request.completed');
    const chunks = await result;
    expect(textOf(chunks)).toBe('I look it up.\n\nIt is seven.');
    const progress = chunks.flatMap((chunk) => ('stable_harness' in chunk ? [chunk.stable_harness] : []));
    expect(progress).toMatchObject([
      { phase: 'agent.tool.start', toolId: 'read', callId: 'c1' },
      { phase: 'agent.tool.result', toolId: 'read', callId: 'c1' },
      { message: 'Reading.' },
      { message: 'Done.' },
    ]);
    expect(JSON.stringify(progress)).not.toContain('secret.txt');
    const [stop, usage] = chunks.slice(-2);
    expect(stop?.choices).toMatchObject([{ delta: {}, finish_reason: 'stop' }]);
    expect([usage?.choices, usage?.usage?.total_tokens]).toEqual([[], 0]);
    expect(chunks.slice(0, -1).every((chunk) => chunk.choices.length === 1 && chunk.usage === null)).toBe(true);
  });

  test('names progress as stable-harness does, and ends with [DONE] after the last narration', async () => {
    const call = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(streamed) };
    const { result, run } = await start(async () => (await api.fetch('/v1/chat/completions', call)).text());
    await run.signal(1, { phase: 'agent.tool.start', toolId: 'read', callId: 'c1', args: {} });
    await run.narrate('Reading.', 'runtime.stage.started');
    await run.complete('done');
    await run.narrate('Done.', 'runtime.request.completed');
    const frames = (await result).split('\n\n').filter((frame) => frame !== '');
    expect(frames.flatMap((frame) => /^event: (.*)$/m.exec(frame)?.[1] ?? [])).toEqual([
      'stable_harness.tool.progress',
      'stable_harness.progress.narration',
      'stable_harness.progress.narration',
    ]);
    expect(frames.at(-1)).toBe('data: [DONE]');
    expect(frames.findIndex((frame) => frame.includes('"Done."'))).toBeLessThan(frames.length - 1);
  });

  test('works with the streaming helper of the client', async () => {
    const { result, run } = await start(async () => {
      const stream = client.chat.completions.stream({ ...hello, stream: true });
      return { final: await stream.finalContent(), usage: await stream.finalChatCompletion() };
    });
    await run.signal(1, { phase: 'agent.tool.start', toolId: 'read', callId: 'c1', args: {} });
    await run.delta(2, 'Seven');
    await run.complete('Seven.');
    expect(await result).toMatchObject({ final: 'Seven.', usage: { choices: [{ finish_reason: 'stop' }] } });
  });

  test('of a pipeline with an evaluation has only the accepted output', async () => {
    const call = { ...streamed, model: 'checked/writer' };
    const { result, run } = await start(async () => chunksOf(await client.chat.completions.create(call)));
    await run.delta(1, 'A first try.');
    await run.complete('The accepted answer.');
    expect(textOf(await result)).toBe('The accepted answer.');
  });

  test('fails with the request', async () => {
    const { result, run } = await start(async () => chunksOf(await client.chat.completions.create(streamed)));
    await run.delta(1, 'Half an ans');
    await run.fail({ code: 'harness_failed', message: 'the harness went away' });
    const error = await errorOf(result);
    expect(error).toBeInstanceOf(APIError);
    expect(error.code).toBe('request_failed');
  });

  test('whose client disconnects cancels the request, unless the client can repeat the call', async () => {
    const cancelled = async (requestId: string): Promise<boolean> =>
      (await api.commands()).some((sent) => sent.type === 'command.run.cancel' && sent.requestId === requestId);
    const leave = async (headers: Record<string, string>): Promise<string> => {
      const seen = (await api.commands()).length;
      const stream = await client.chat.completions.create(streamed, { headers });
      const run = await RunEvents.next(api, seen);
      stream.controller.abort();
      await until(async () => (await openStreams()) === 0);
      return run.submit.requestId;
    };
    const repeatable = await leave({ 'idempotency-key': 'chat-2' });
    const requestId = await leave({});
    await until(() => cancelled(requestId));
    expect(await cancelled(repeatable)).toBe(false);
  });
});

/** The number of streams that the gateway sends events to. */
async function openStreams(): Promise<number> {
  const metrics = await (await api.fetch('/metrics')).text();
  return Number(/^reins_gateway_streams\{.*\} (\d+)$/m.exec(metrics)?.[1]);
}

describe('a call that is refused', () => {
  const tool = { type: 'function', function: { name: 'f', parameters: {} } } as const;
  test.each<[string, object, string, string]>([
    ['tools of the client', { tools: [tool] }, 'tools', 'unsupported_parameter'],
    ['a choice of its tools', { tool_choice: 'required' }, 'tool_choice', 'unsupported_parameter'],
    ['functions', { functions: [{ name: 'f' }] }, 'functions', 'unsupported_parameter'],
    ['several choices', { n: 2 }, 'n', 'unsupported_parameter'],
    ['JSON without a schema', { response_format: { type: 'json_object' } }, 'response_format', 'unsupported_parameter'],
    ['an unknown parameter', { colour: 1 }, 'colour', 'request_invalid'],
    ['no messages', { messages: [] }, 'messages', 'request_invalid'],
    ['a prefilled answer', { messages: [{ role: 'assistant', content: 'I' }] }, 'messages[0].role', 'request_invalid'],
    [
      'an image at a URL',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://10.0.0.1/x' } }] }] },
      'messages[0].content[0].image_url.url',
      'unsupported_parameter',
    ],
  ])('%s', async (_name, change, param, code) => {
    const error = await errorOf(client.chat.completions.create({ ...hello, ...change } as Params));
    expect([error.status, error.param, error.code, error.type]).toEqual([400, param, code, 'invalid_request_error']);
    expect(await openStreams()).toBe(0);
  });

  test('tools that ask for nothing are accepted', async () => {
    const call: typeof hello = { ...hello, tools: [], tool_choice: 'auto', n: 1, temperature: 0.2, seed: 1 };
    const { result, run } = await start(() => client.chat.completions.create(call));
    await run.complete('ok');
    expect((await result).choices).toHaveLength(1);
  });

  test('a wrong key, an unknown route and malformed JSON have the form of OpenAI', async () => {
    const wrong = new OpenAI({ baseURL: `${api.service.url}/v1`, apiKey: 'rk_0b_0000', maxRetries: 0 });
    const unauthorized = await errorOf(wrong.models.list());
    expect([unauthorized.status, unauthorized.code]).toEqual([401, 'invalid_api_key']);
    const unknown = await errorOf(client.embeddings.create({ model: 'm', input: 'x' }));
    expect([unknown.status, unknown.code]).toEqual([404, 'route_not_found']);
    const headers = { 'content-type': 'application/json' };
    const malformed = await api.fetch('/v1/chat/completions', { method: 'POST', headers, body: '{"model":' });
    expect([malformed.status, await malformed.json()]).toMatchObject([
      400,
      { error: { type: 'invalid_request_error' } },
    ]);
  });
});
