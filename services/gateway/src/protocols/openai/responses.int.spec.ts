import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@reins/testing';
import OpenAI, { APIError } from 'openai';
import { RunEvents } from '../../testing/run-events.ts';
import { API_KEY, TestGateway } from '../../testing/test-gateway.ts';

type Created = OpenAI.Responses.ResponseCreateParamsNonStreaming;
type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

let api: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  api = await TestGateway.start();
  client = new OpenAI({ baseURL: `${api.service.url}/v1`, apiKey: API_KEY, maxRetries: 0 });
  const content = 'name: Notes\nagents: {id: writer, model: openai/gpt-5.4}\nmcp_registry: {servers: {}}\n';
  const files = [
    { path: 'workspace.yaml', content },
    { path: 'AGENTS.md', content: 'You keep notes.\n' },
  ];
  await api.post('/workspaces', { workspaceId: 'notes', files });
});
afterAll(() => api.stop());

const hello: Created = { model: 'notes/writer', input: 'hello' };

/** Starts a call. The test then plays the request. */
async function start<T>(call: () => Promise<T>): Promise<{ readonly result: Promise<T>; readonly run: RunEvents }> {
  const seen = (await api.commands()).length;
  const result = call();
  result.catch(() => undefined);
  return { result, run: await RunEvents.next(api, seen) };
}

/** Creates a response whose request has completed. */
async function completed(params: Partial<Created>, output: unknown) {
  const { result, run } = await start(() => client.responses.create({ ...hello, ...params }));
  await run.complete(output);
  return { response: await result, run };
}

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const deltasOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');

const errorOf = (call: Promise<unknown>): Promise<APIError> =>
  call.then(
    () => {
      throw new Error('the call succeeded');
    },
    (error: APIError) => error,
  );

describe('a response', () => {
  test('has the output of its request, and is stored', async () => {
    const { response, run } = await completed({ metadata: { trip: '7' }, instructions: 'Be brief.' }, 'Hello.');
    expect(run.submit).toMatchObject({ workspaceId: 'notes', agentId: 'writer', input: 'Be brief.\n\nhello' });
    expect(response).toMatchObject({
      id: `resp_${run.submit.requestId}`,
      status: 'completed',
      output_text: 'Hello.',
      metadata: { trip: '7' },
      instructions: 'Be brief.',
      error: null,
    });
    const { output_text: _, _request_id: __, ...stored } = response;
    expect(await client.responses.retrieve(response.id)).toMatchObject(stored);
    const items = await client.responses.inputItems.list(response.id);
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    ]);
  });

  test('continues the session of the previous one, with the new message only', async () => {
    const first = await completed({}, 'Hello.');
    const second = await completed({ input: 'And now?', previous_response_id: first.response.id }, 'Bye.');
    expect(second.run.submit).toMatchObject({ sessionId: first.run.submit.sessionId, input: 'And now?' });
    expect(second.response).toMatchObject({ previous_response_id: first.response.id, output_text: 'Bye.' });
  });

  test('belongs to a conversation', async () => {
    const { response, run } = await completed({ conversation: 'conv_1' }, 'ok');
    expect(run.submit.sessionId).toBe('conv_1');
    expect(response.conversation).toEqual({ id: 'conv_1' });
  });

  test('has the form of a JSON Schema', async () => {
    const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const format = { type: 'json_schema', name: 'answer', schema } as const;
    const { response, run } = await completed({ text: { format } }, { text: 'x' });
    expect(run.submit.metadata).toMatchObject({ context: { outputSchema: schema } });
    expect(JSON.parse(response.output_text)).toEqual({ text: 'x' });
  });

  test('is the question of its request; the next response is what follows the answer', async () => {
    const { result, run } = await start(() => client.responses.create(hello));
    const question = { effectId: 'e9', questionNumber: 1 };
    const waiting = { ...question, stage: 'execute', runtimeId: 'pi', question: 'Which colour?' };
    await run.fact('runtime.stage.waiting', waiting);
    await run.fact('runtime.request.waiting', { ...question, reason: 'user' });
    const asked = await result;
    expect(asked).toMatchObject({ status: 'completed', output_text: 'Which colour?' });
    const seen = (await api.commands()).length;
    const next = client.responses.create({ ...hello, input: 'Blue', previous_response_id: asked.id });
    await until(async () => (await api.commands()).length > seen);
    expect((await api.commands()).at(-1)).toMatchObject({ type: 'command.run.answer', ...question, answer: 'Blue' });
    await run.fact('runtime.request.resumed', { effectId: 'e9' });
    await run.complete('It is blue.');
    const answer = await next;
    expect(answer).toMatchObject({ output_text: 'It is blue.', previous_response_id: asked.id });
    expect(answer.id).not.toBe(asked.id);
    // Each response stays what it was.
    expect((await client.responses.retrieve(asked.id)).output_text).toBe('Which colour?');
    expect((await client.responses.retrieve(answer.id)).output_text).toBe('It is blue.');
  });

  test('of a failed request has failed', async () => {
    const { result, run } = await start(() => client.responses.create(hello));
    await run.fail({ code: 'harness_failed', message: 'the harness went away' });
    expect(await result).toMatchObject({
      status: 'failed',
      error: { code: 'server_error', message: 'the harness went away (harness_failed)' },
      output: [],
    });
  });

  test('in the background is queued, runs, and completes without the client', async () => {
    const { result, run } = await start(() => client.responses.create({ ...hello, background: true }));
    const { id, status } = await result;
    expect(status).toBe('queued');
    await until(async () => (await client.responses.retrieve(id)).status === 'in_progress');
    await run.complete('done');
    await until(async () => (await client.responses.retrieve(id)).status === 'completed');
    expect((await client.responses.retrieve(id)).output_text).toBe('done');
  });

  test('can be cancelled', async () => {
    const { result, run } = await start(() => client.responses.create({ ...hello, background: true }));
    const { id } = await result;
    const cancelling = client.responses.cancel(id);
    await until(async () =>
      (await api.commands()).some(
        ({ type, requestId }) => type === 'command.run.cancel' && requestId === run.submit.requestId,
      ),
    );
    await run.cancel('not now');
    expect((await cancelling).status).toBe('cancelled');
    expect((await client.responses.cancel(id)).status).toBe('cancelled');
    // The Python client sends the type of a body without one.
    const empty = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '' };
    expect((await api.fetch(`/v1/responses/${id}/cancel`, empty)).status).toBe(200);
  });

  test('is gone after it was deleted, and was never there without store', async () => {
    const { response } = await completed({}, 'ok');
    const headers = { 'content-type': 'application/json' };
    expect((await api.fetch(`/v1/responses/${response.id}`, { method: 'DELETE', headers })).status).toBe(200);
    const other = await completed({}, 'ok');
    await client.responses.delete(other.response.id);
    const unstored = await completed({ store: false }, 'ok');
    for (const id of [response.id, other.response.id, unstored.response.id, 'resp_unknown', 'other']) {
      const error = await errorOf(client.responses.retrieve(id));
      expect([error.status, error.code]).toEqual([404, 'response_not_found']);
      const next = await errorOf(client.responses.create({ ...hello, previous_response_id: id }));
      expect([next.status, next.code, next.param]).toEqual([
        400,
        'previous_response_not_found',
        'previous_response_id',
      ]);
    }
  });
});

describe('a streamed response', () => {
  test('has typed events with increasing numbers, and the whole response at the end', async () => {
    const { result, run } = await start(async () =>
      eventsOf(await client.responses.create({ ...hello, stream: true })),
    );
    await run.delta(1, 'It is ');
    await run.delta(2, 'seven.');
    await run.complete('It is seven.');
    const events = await result;
    const types = events.map(({ type }) => type).filter((type) => type !== 'response.output_text.delta');
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const numbers = events.map(({ sequence_number }) => sequence_number);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    expect(deltasOf(events)).toBe('It is seven.');
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', output: [{ content: [{ text: 'It is seven.' }] }] },
    });
  });

  test('works with the streaming helper of the client', async () => {
    const { result, run } = await start(async () =>
      client.responses.stream({ model: 'notes/writer', input: 'hello' }).finalResponse(),
    );
    await run.delta(1, 'Sev');
    await run.complete('Seven.');
    expect((await result).output_text).toBe('Seven.');
  });

  test('continues when its client has disconnected, from any event on', async () => {
    const seen = (await api.commands()).length;
    const stream = await client.responses.create({ ...hello, stream: true });
    const run = await RunEvents.next(api, seen);
    await run.delta(1, 'One, ');
    await run.delta(2, 'two, ');
    const received: StreamEvent[] = [];
    for await (const event of stream) {
      received.push(event);
      if (deltasOf(received) === 'One, two, ') break;
    }
    const id = `resp_${run.submit.requestId}`;
    await run.delta(3, 'three');
    const rest = eventsOf(
      await client.responses.retrieve(id, { stream: true, starting_after: received.at(-1)?.sequence_number ?? 0 }),
    );
    await run.complete('One, two, three.');
    expect(deltasOf(received) + deltasOf(await rest)).toBe('One, two, three.');
    expect((await api.commands()).slice(seen).map(({ type }) => type)).toEqual(['command.run.submit']);
    for (const { sequence_number } of received) {
      const known = received.filter((event) => event.sequence_number <= sequence_number);
      const later = await eventsOf(
        await client.responses.retrieve(id, { stream: true, starting_after: sequence_number }),
      );
      expect(deltasOf(known) + deltasOf(later)).toBe('One, two, three.');
      expect(later.at(-1)?.type).toBe('response.completed');
    }
  });
});

describe('a call that is refused', () => {
  const tool = { type: 'function', name: 'f', parameters: {}, strict: true } as const;
  test.each<[string, object, string, string]>([
    ['tools of the client', { tools: [tool] }, 'tools', 'unsupported_parameter'],
    ['hosted tools', { tools: [{ type: 'web_search' }] }, 'tools', 'unsupported_parameter'],
    ['a background response that is not stored', { background: true, store: false }, 'store', 'unsupported_parameter'],
    [
      'a conversation and a previous response',
      { conversation: 'c', previous_response_id: 'r' },
      'conversation',
      'request_invalid',
    ],
    [
      'an item that is not a message',
      { input: [{ type: 'function_call_output', call_id: 'c', output: '' }] },
      'input[0].type',
      'unsupported_parameter',
    ],
    ['no input', { input: undefined }, 'input', 'request_invalid'],
    ['an unknown parameter', { colour: 1 }, 'colour', 'request_invalid'],
  ])('%s', async (_name, change, param, code) => {
    const error = await errorOf(client.responses.create({ ...hello, ...change } as Created));
    expect([error.status, error.param, error.code]).toEqual([400, param, code]);
  });
});
