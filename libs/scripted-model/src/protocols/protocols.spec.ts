import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ScriptedModel, startScriptedModel } from '../server.ts';
import { ask, CLIENTS, type ClientName, eventsIn, send } from '../testing/clients.ts';

const NAMES = Object.keys(CLIENTS) as ClientName[];
const ENDS: Readonly<Record<ClientName, readonly [string, string]>> = {
  chat: ['stop', 'tool_calls'],
  responses: ['completed', 'completed'],
  anthropic: ['end_turn', 'tool_use'],
  gemini: ['STOP', 'STOP'],
};
const TOOLS = [
  { name: 'write_file', properties: { file_path: { type: 'string' }, content: { type: 'string' } } },
  { name: 'bash', properties: { command: { type: 'string' } } },
];

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

const at = (scenario: string): string => `${model.url}/s/${scenario}`;

async function register(name: string, script: unknown): Promise<void> {
  const response = await fetch(`${model.url}/__scenarios/${name}`, { method: 'PUT', body: JSON.stringify(script) });
  expect(response.status).toBe(200);
}

describe.each(NAMES)('%s', (name) => {
  const [endOfText, endOfCalls] = ENDS[name];

  it.each([true, false])('returns its model name, thinking and text (stream: %s)', async (stream) => {
    expect(await ask(at('think'), name, { user: 'Say it.' }, stream)).toEqual({
      model: 'scripted-model',
      thinking: 'First I think.',
      text: 'Then I answer.',
      calls: [],
      finishReason: endOfText,
    });
  });

  it.each([true, false])('calls the offered tools one at a time, then answers (stream: %s)', async (stream) => {
    const conversation = { user: "FILE=/tmp/a.txt CONTENT='two words' Do it.", tools: TOOLS };
    const first = await ask(at('write'), name, conversation, stream);
    expect(first).toMatchObject({ text: 'Writing the file.', finishReason: endOfCalls });
    expect(first.calls).toEqual([
      { id: expect.any(String), name: 'write_file', args: { file_path: '/tmp/a.txt', content: 'two words\n' } },
    ]);
    const last = await ask(at('write'), name, { ...conversation, rounds: [first] }, stream);
    expect(last).toMatchObject({ text: 'Done: wrote /tmp/a.txt.', calls: [], finishReason: endOfText });
  });

  it.each([true, false])('calls several tools in one step (stream: %s)', async (stream) => {
    const conversation = { user: "CMD='ls -l' Do it.", tools: TOOLS };
    const first = await ask(at('parallel'), name, conversation, stream);
    expect(first.calls.map((call) => call.name)).toEqual(['write_file', 'bash']);
    expect(new Set(first.calls.map((call) => call.id)).size).toBe(2);
    const last = await ask(at('parallel'), name, { ...conversation, rounds: [first] }, stream);
    expect(last.text).toMatch(/^Done/);
  });

  it('reads the stage from the system prompt', async () => {
    const system = 'You are an agent.\n\nReins stage: evaluate\nReins iteration: 2\n';
    const answer = await ask(at('quickstart'), name, { system, user: 'Judge it.' }, true);
    expect(JSON.parse(answer.text)).toMatchObject({ outcome: 'pass' });
  });

  it('returns the same answer as a stream and as one body, for any script', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const args = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    const steps = fc.record({ text, thinking: text, tool: fc.record({ name: fc.constant('bash'), args }) });
    await fc.assert(
      fc.asyncProperty(steps, async (step) => {
        await register('any', [step]);
        const conversation = { user: 'Go.', tools: TOOLS };
        const [streamed, whole] = [
          await ask(at('any'), name, conversation, true),
          await ask(at('any'), name, conversation, false),
        ];
        const withoutIds = (answer: typeof whole): unknown => ({
          ...answer,
          calls: answer.calls.map((call) => [call.name, call.args]),
        });
        expect(withoutIds(streamed)).toEqual(withoutIds(whole));
        expect(whole).toMatchObject({ text: step.text, thinking: step.thinking });
        expect(whole.calls[0]?.args).toEqual(JSON.parse(JSON.stringify(step.tool.args)));
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    ['e400', 400, {}],
    ['e401', 401, {}],
    ['e403', 403, {}],
    ['e404', 404, {}],
    ['e429', 429, { 'retry-after': '1' }],
    ['e500', 500, {}],
    ['e529', 529, {}],
  ])('fails for %s with an error in its format', async (scenario, status, headers) => {
    const response = await send(at(scenario), name, { user: 'Go.' }, true);
    expect(response.status).toBe(status);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    const form = name === 'gemini' ? { code: status, status: expect.any(String) } : { type: expect.any(String) };
    expect(await response.json()).toMatchObject({ error: { message: `scripted ${status}`, ...form } });
  });

  it('recovers after the scripted failures', async () => {
    await register(`flaky-${name}`, [{ status: 503, failFirst: 2, text: 'Recovered.' }]);
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      statuses.push((await send(at(`flaky-${name}`), name, { user: 'Go.' }, false)).status);
    }
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('rejects only the bad key', async () => {
    const keys = {
      anthropic: 'x-api-key',
      gemini: 'x-goog-api-key',
      chat: 'authorization',
      responses: 'authorization',
    };
    const value = (key: string): string => (keys[name] === 'authorization' ? `Bearer ${key}` : key);
    const statusWith = async (key: string): Promise<number> =>
      (await send(at('text'), name, { user: 'Go.' }, false, { [keys[name]]: value(key) })).status;
    expect(await statusWith('bad-key')).toBe(401);
    expect(await statusWith('sk-any')).toBe(200);
  });

  it('truncates a stream', async () => {
    const response = await send(at('cut'), name, { user: 'Go.' }, true);
    const received: string[] = [];
    const decoder = new TextDecoder();
    const reading = (async () => {
      for await (const chunk of response.body as ReadableStream<Uint8Array>) received.push(decoder.decode(chunk));
    })();
    await expect(reading).rejects.toThrow();
    const text = CLIENTS[name].fromEvents(eventsIn(received.join(''))).text;
    expect(text).toMatch(/^word0 word1 /);
    expect(text).not.toMatch(/word59/);
  });

  it('responds with garbage', async () => {
    const response = await send(at('garbage'), name, { user: 'Go.' }, false);
    expect(response.status).toBe(200);
    await expect(response.json()).rejects.toThrow();
  });

  it('accepts any JSON as a body', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        const path = CLIENTS[name].path(false);
        const response = await fetch(at('write') + path, { method: 'POST', body: JSON.stringify(body) });
        expect(response.status).toBe(200);
      }),
      { numRuns: 50 },
    );
  });
});

describe('other endpoints and options', () => {
  it('list the only model', async () => {
    const names = async (path: string): Promise<unknown> => (await fetch(at('text') + path)).json();
    expect(await names('/v1/models')).toMatchObject({ data: [{ id: 'scripted-model' }] });
    expect(await names('/v1beta/models')).toMatchObject({ models: [{ name: 'models/scripted-model' }] });
  });

  it('count tokens', async () => {
    const post = async (path: string): Promise<unknown> =>
      (await fetch(at('text') + path, { method: 'POST', body: '{"messages":[]}' })).json();
    expect(await post('/v1/messages/count_tokens')).toEqual({ input_tokens: expect.any(Number) });
    expect(await post('/v1beta/models/m:countTokens')).toEqual({ totalTokens: expect.any(Number) });
  });

  it('include usage at the end of a chat stream on request', async () => {
    const body = JSON.stringify({ stream: true, stream_options: { include_usage: true }, messages: [] });
    const text = await (await fetch(`${at('text')}/v1/chat/completions`, { method: 'POST', body })).text();
    expect(eventsIn(text).at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('support tools that take plain text instead of JSON', async () => {
    const tools = [{ type: 'custom', name: 'apply_patch' }];
    const body = JSON.stringify({ input: 'FILE=a.txt CONTENT=x', tools });
    const answer = (await (await fetch(`${at('write')}/v1/responses`, { method: 'POST', body })).json()) as {
      output: unknown[];
    };
    expect(answer.output.at(-1)).toMatchObject({
      type: 'custom_tool_call',
      name: 'apply_patch',
      input: '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch\n',
    });
  });
});
