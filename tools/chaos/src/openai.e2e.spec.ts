import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import OpenAI from 'openai';
import { upload, workspaceFiles } from './load/workspaces.ts';
import { type RunningSystem, startRunningSystem } from './system/start.ts';

type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

const MODEL = 'spoken/main';

let running: RunningSystem;
let client: OpenAI;

beforeAll(async () => {
  const settings = { runtime_profile: { default: 'echo' } };
  running = await startRunningSystem({ dir: await tempDir('openai'), replicas: 1, log: () => {}, settings });
  await upload(running.gateway, 'spoken', workspaceFiles('spoken'));
  const { url, apiKey } = running.gateway;
  client = new OpenAI({ baseURL: `${url}/v1`, apiKey });
});
afterAll(() => running?.stop());

const user = (content: string): OpenAI.ChatCompletionMessageParam[] => [{ role: 'user', content }];

const deltasOf = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('');

async function eventsOf(stream: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test('a client of OpenAI finds the agents, and chats with one', async () => {
  expect((await client.models.list()).data.map(({ id }) => id)).toContain(MODEL);
  const completion = await client.chat.completions.create({ model: MODEL, messages: user('@echo answer Noted.') });
  expect(completion.choices[0]?.message.content).toBe('Noted.');
});

test('a stream has the words as the agent writes them', async () => {
  const messages = user('@echo stream\n@echo answer One two three.');
  const stream = await client.chat.completions.create({ model: MODEL, messages, stream: true });
  const words: string[] = [];
  for await (const { choices } of stream) words.push(choices[0]?.delta.content ?? '');
  expect(words.join('')).toBe('One two three.');
});

test('the output has the form of a JSON Schema', async () => {
  const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const completion = await client.chat.completions.create({
    model: MODEL,
    messages: user('@echo answer {"n": 7}'),
    response_format: { type: 'json_schema', json_schema: { name: 'number', schema } },
  });
  expect(JSON.parse(completion.choices[0]?.message.content ?? '')).toEqual({ n: 7 });
});

test('a question continues as a response, in the same request', async () => {
  const asked = await client.responses.create({ model: MODEL, input: '@echo ask Which colour?' });
  expect(asked.output_text).toBe('Which colour?');
  const next = await client.responses.create({ model: MODEL, input: 'Blue', previous_response_id: asked.id });
  expect([next.status, next.previous_response_id]).toEqual(['completed', asked.id]);
});

test('a gateway that is killed in the middle of a stream loses nothing', async () => {
  const input = '@echo clock 8\n@echo answer Done.';
  const stream = await client.responses.create({ model: MODEL, input, stream: true });
  const received: StreamEvent[] = [];
  let id = '';
  try {
    for await (const event of stream) {
      received.push(event);
      if (event.type === 'response.created') id = event.response.id;
      if (event.type === 'response.output_text.delta') await running.system.kill('gateway');
    }
  } catch {
    // The connection is lost.
  }
  expect(received.at(-1)?.type).toBe('response.output_text.delta');
  // The client repeats the call until the gateway is back.
  const patient = client.withOptions({ maxRetries: 20 });
  const starting_after = received.at(-1)?.sequence_number ?? 0;
  const rest = await eventsOf(await patient.responses.retrieve(id, { stream: true, starting_after }));
  const whole = rest.find((event) => event.type === 'response.output_text.done');
  expect(deltasOf(received) + deltasOf(rest)).toBe(whole?.text);
  expect(whole?.text.endsWith('Done.')).toBe(true);
  expect((await client.responses.retrieve(id)).output_text).toBe('Done.');
});
