import { asList, asObject, asText, type JsonObject } from '../json.ts';

/** An answer as a client parsed it, the same for all protocols, streamed or not. */
export interface ParsedAnswer {
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  readonly finishReason: string;
}

export interface Tool {
  readonly name: string;
  readonly properties: JsonObject;
}

/** A conversation: one user message and the rounds of tool calls since. */
export interface Conversation {
  readonly system?: string;
  readonly user: string;
  readonly rounds?: readonly ParsedAnswer[];
  readonly tools?: readonly Tool[];
}

/** A client of one protocol: writes requests and parses answers. */
export interface Client {
  path(stream: boolean): string;
  body(conversation: Conversation, stream: boolean): JsonObject;
  fromBody(body: JsonObject): ParsedAnswer;
  fromEvents(events: readonly JsonObject[]): ParsedAnswer;
}

const schemaOf = (tool: Tool): JsonObject => ({ type: 'object', properties: tool.properties });
const joined = (parts: readonly unknown[]): string => parts.map((part) => asText(part) ?? '').join('');
const objects = (value: unknown): readonly JsonObject[] => asList(value).map(asObject);

const chat: Client = {
  path: () => '/v1/chat/completions',
  body: ({ system, user, rounds = [], tools = [] }, stream) => ({
    model: 'any',
    stream,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
      ...rounds.flatMap(({ text, calls }) => [
        {
          role: 'assistant',
          content: text,
          tool_calls: calls.map(({ id, name, args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        },
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'ok' })),
      ]),
    ],
    tools: tools.map((tool) => ({ type: 'function', function: { name: tool.name, parameters: schemaOf(tool) } })),
  }),
  fromBody: (body) => {
    const choice = asObject(asList(body.choices)[0]);
    const message = asObject(choice.message);
    const calls = objects(message.tool_calls).map((call) => {
      const { name, arguments: args } = asObject(call.function);
      return { id: String(call.id), name: String(name), args: JSON.parse(String(args)) as unknown };
    });
    const { content, reasoning_content: thinking } = message;
    return {
      model: String(body.model),
      text: asText(content) ?? '',
      thinking: asText(thinking) ?? '',
      calls,
      finishReason: String(choice.finish_reason),
    };
  },
  fromEvents: (events) => {
    const choices = events.flatMap((event) => objects(event.choices));
    const deltas = choices.map((choice) => asObject(choice.delta));
    const calls: { id: string; name: string; text: string }[] = [];
    for (const part of deltas.flatMap((delta) => objects(delta.tool_calls))) {
      const index = Number(part.index);
      const { name, arguments: text } = asObject(part.function);
      calls[index] ??= { id: String(part.id), name: String(name), text: '' };
      calls[index].text += asText(text) ?? '';
    }
    return {
      model: String(events[0]?.model),
      text: joined(deltas.map((delta) => delta.content)),
      thinking: joined(deltas.map((delta) => delta.reasoning_content)),
      calls: calls.map(({ id, name, text }) => ({ id, name, args: JSON.parse(text) as unknown })),
      finishReason: joined(choices.map((choice) => choice.finish_reason)),
    };
  },
};

const responses: Client = {
  path: () => '/v1/responses',
  body: ({ system, user, rounds = [], tools = [] }, stream) => ({
    model: 'any',
    stream,
    ...(system === undefined ? {} : { instructions: system }),
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: user }] },
      ...rounds.flatMap(({ calls }) => [
        ...calls.map(({ id, name, args }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: JSON.stringify(args),
        })),
        ...calls.map(({ id }) => ({ type: 'function_call_output', call_id: id, output: 'ok' })),
      ]),
    ],
    tools: tools.map((tool) => ({ type: 'function', name: tool.name, parameters: schemaOf(tool) })),
  }),
  fromBody: (body) => {
    const items = objects(body.output);
    const of = (type: string): readonly JsonObject[] => items.filter((item) => item.type === type);
    return {
      model: String(body.model),
      text: joined(of('message').flatMap((item) => objects(item.content).map((part) => part.text))),
      thinking: joined(of('reasoning').flatMap((item) => objects(item.summary).map((part) => part.text))),
      calls: of('function_call').map((item) => ({
        id: String(item.call_id),
        name: String(item.name),
        args: JSON.parse(String(item.arguments)) as unknown,
      })),
      finishReason: String(body.status),
    };
  },
  fromEvents: (events) => {
    const of = (type: string): readonly JsonObject[] => events.filter((event) => event.type === type);
    const started = of('response.output_item.added').filter(({ item }) => asObject(item).type === 'function_call');
    const last = asObject(events.at(-1)?.response);
    return {
      model: String(asObject(events[0]?.response).model),
      text: joined(of('response.output_text.delta').map(({ delta }) => delta)),
      thinking: joined(of('response.reasoning_summary_text.delta').map(({ delta }) => delta)),
      calls: started.map(({ item, output_index: index }) => {
        const deltas = of('response.function_call_arguments.delta').filter((event) => event.output_index === index);
        const { call_id: id, name } = asObject(item);
        return {
          id: String(id),
          name: String(name),
          args: JSON.parse(joined(deltas.map(({ delta }) => delta))) as unknown,
        };
      }),
      finishReason: String(last.status),
    };
  },
};

const anthropic: Client = {
  path: () => '/v1/messages',
  body: ({ system, user, rounds = [], tools = [] }, stream) => ({
    model: 'any',
    stream,
    max_tokens: 100,
    thinking: { type: 'enabled', budget_tokens: 50 },
    ...(system === undefined ? {} : { system: [{ type: 'text', text: system }] }),
    messages: [
      { role: 'user', content: user },
      ...rounds.flatMap(({ calls }) => [
        {
          role: 'assistant',
          content: calls.map(({ id, name, args }) => ({ type: 'tool_use', id, name, input: args })),
        },
        { role: 'user', content: calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })) },
      ]),
    ],
    tools: tools.map((tool) => ({ name: tool.name, input_schema: schemaOf(tool) })),
  }),
  fromBody: (body) => {
    const blocks = objects(body.content);
    return {
      model: String(body.model),
      text: joined(blocks.map(({ text }) => text)),
      thinking: joined(blocks.map(({ thinking }) => thinking)),
      calls: blocks
        .filter(({ type }) => type === 'tool_use')
        .map(({ id, name, input }) => ({ id: String(id), name: String(name), args: input })),
      finishReason: String(body.stop_reason),
    };
  },
  fromEvents: (events) => {
    const deltas = events.filter(({ type }) => type === 'content_block_delta');
    const of = (index: unknown, field: string): string =>
      joined(deltas.filter((event) => event.index === index).map(({ delta }) => asObject(delta)[field]));
    const starts = events.filter(({ type }) => type === 'content_block_start');
    const end = events.find(({ type }) => type === 'message_delta');
    return {
      model: String(asObject(events[0]?.message).model),
      text: joined(starts.map(({ index }) => of(index, 'text'))),
      thinking: joined(starts.map(({ index }) => of(index, 'thinking'))),
      calls: starts
        .filter(({ content_block: block }) => asObject(block).type === 'tool_use')
        .map(({ index, content_block: block }) => {
          const { id, name } = asObject(block);
          return { id: String(id), name: String(name), args: JSON.parse(of(index, 'partial_json')) as unknown };
        }),
      finishReason: String(asObject(end?.delta).stop_reason),
    };
  },
};

function fromCandidates(bodies: readonly JsonObject[]): ParsedAnswer {
  const candidates = bodies.map((body) => asObject(asList(body.candidates)[0]));
  const parts = candidates.flatMap((candidate) => objects(asObject(candidate.content).parts));
  return {
    model: String(bodies[0]?.modelVersion),
    text: joined(parts.filter(({ thought }) => thought !== true).map(({ text }) => text)),
    thinking: joined(parts.filter(({ thought }) => thought === true).map(({ text }) => text)),
    calls: parts.flatMap(({ functionCall }) => {
      const { id, name, args } = asObject(functionCall);
      return name === undefined ? [] : [{ id: String(id), name: String(name), args }];
    }),
    finishReason: String(candidates.at(-1)?.finishReason),
  };
}

const gemini: Client = {
  path: (stream) => `/v1beta/models/any:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
  body: ({ system, user, rounds = [], tools = [] }) => ({
    ...(system === undefined ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: [
      { role: 'user', parts: [{ text: user }] },
      ...rounds.flatMap(({ calls }) => [
        { role: 'model', parts: calls.map(({ id, name, args }) => ({ functionCall: { id, name, args } })) },
        { role: 'user', parts: calls.map(({ id, name }) => ({ functionResponse: { id, name, response: {} } })) },
      ]),
    ],
    tools: [{ functionDeclarations: tools.map((tool) => ({ name: tool.name, parameters: schemaOf(tool) })) }],
  }),
  fromBody: (body) => fromCandidates([body]),
  fromEvents: fromCandidates,
};

export const CLIENTS = { chat, responses, anthropic, gemini } as const;
export type ClientName = keyof typeof CLIENTS;

/** Sends a request to a scenario and parses the complete answer. */
export async function ask(
  baseUrl: string,
  name: ClientName,
  conversation: Conversation,
  stream: boolean,
): Promise<ParsedAnswer> {
  const client: Client = CLIENTS[name];
  const response = await send(baseUrl, name, conversation, stream);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  if (!stream) return client.fromBody((await response.json()) as JsonObject);
  return client.fromEvents(eventsIn(await response.text()));
}

export function send(
  baseUrl: string,
  name: ClientName,
  conversation: Conversation,
  stream: boolean,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const client: Client = CLIENTS[name];
  const body = JSON.stringify(client.body(conversation, stream));
  return fetch(baseUrl + client.path(stream), { method: 'POST', headers, body });
}

/** The data of server-sent events, without the `[DONE]` of the OpenAI protocols. */
export function eventsIn(text: string): readonly JsonObject[] {
  return text
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((line) => line.startsWith('data: ')))
    .map((line) => line.slice('data: '.length))
    .filter((data) => data !== '[DONE]')
    .map((data) => asObject(JSON.parse(data)));
}
