import { asList, asObject, asText, isObject, type JsonObject } from '../json.ts';
import { MODEL_NAME, type ModelRequest, type NextId, type OfferedTool, type Turn } from '../model.ts';
import { openaiModels } from './openai-common.ts';
import { argumentObject, argumentText, contentTexts, splitInHalf, tokensIn, tokensOut, words } from './parts.ts';
import type { Protocol, StreamEvent, WriteContext, WrittenAnswer } from './protocol.ts';

/** Base64 of "scripted". Clients return a signature without checking it. */
const SIGNATURE = 'c2NyaXB0ZWQ=';

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function readMessage(value: unknown): readonly Turn[] {
  const message = asObject(value);
  const results = asList(message.content).filter((block) => asObject(block).type === 'tool_result');
  if (results.length > 0) {
    // The next message of the user follows the results in the same message.
    const texts = contentTexts(asList(message.content).filter((block) => asObject(block).type === 'text'));
    const added: readonly Turn[] = texts.length > 0 ? [{ kind: 'user', texts }] : [];
    return [...results.map((): Turn => ({ kind: 'result', texts: [] })), ...added];
  }
  const { role } = message;
  // A system message within the conversation is no request.
  return [{ kind: role === 'assistant' || role === 'system' ? role : 'user', texts: contentTexts(message.content) }];
}

function readTool(value: unknown): readonly OfferedTool[] {
  const tool = asObject(value);
  const name = asText(tool.name);
  // A tool without a schema is run by the provider itself.
  if (name === undefined || !isObject(tool.input_schema)) return [];
  return [{ name, schema: tool.input_schema, freeform: false }];
}

function read(body: JsonObject): ModelRequest {
  return {
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    turns: [{ kind: 'system', texts: contentTexts(body.system) }, ...asList(body.messages).flatMap(readMessage)],
    tools: asList(body.tools).flatMap(readTool),
  };
}

/** A content block: its start event, its deltas, and the complete block. */
interface Block {
  readonly start: JsonObject;
  readonly deltas: readonly JsonObject[];
  readonly complete: JsonObject;
}

function blocks({ answer, body }: WriteContext): readonly Block[] {
  const contentBlocks: Block[] = [];
  const { thinking, text } = answer;
  const thinkingEnabled = isObject(body.thinking) && body.thinking.type !== 'disabled';
  if (thinking !== undefined && thinkingEnabled) {
    contentBlocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...words(thinking).map((word) => ({ type: 'thinking_delta', thinking: word })),
        { type: 'signature_delta', signature: SIGNATURE },
      ],
      complete: { type: 'thinking', thinking, signature: SIGNATURE },
    });
  }
  if (text !== undefined) {
    const deltas = words(text).map((word) => ({ type: 'text_delta', text: word }));
    contentBlocks.push({ start: { type: 'text', text: '' }, deltas, complete: { type: 'text', text } });
  }
  for (const call of answer.calls) {
    const start = { type: 'tool_use', id: call.id.replace('call', 'toolu'), name: call.name, input: {} };
    const json = call.freeform ? JSON.stringify(argumentObject(call)) : argumentText(call);
    const deltas = splitInHalf(json).map((part) => ({ type: 'input_json_delta', partial_json: part }));
    contentBlocks.push({ start, deltas, complete: { ...start, input: argumentObject(call) } });
  }
  return contentBlocks;
}

function write(context: WriteContext): WrittenAnswer {
  const { answer, body, nextId } = context;
  const usage = {
    input_tokens: tokensIn(body.messages),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: tokensOut(answer),
  };
  const message = {
    id: nextId('msg'),
    type: 'message',
    role: 'assistant',
    model: MODEL_NAME,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const stopReason = answer.calls.length > 0 ? 'tool_use' : 'end_turn';
  const event = (type: string, data: JsonObject = {}): StreamEvent => ({ event: type, data: { type, ...data } });
  const contentBlocks = blocks(context);
  const events = [
    event('message_start', { message }),
    event('ping'),
    ...contentBlocks.flatMap(({ start, deltas }, index) => [
      event('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]),
    event('message_delta', { delta: { stop_reason: stopReason, stop_sequence: null }, usage }),
    event('message_stop'),
  ];
  return {
    events,
    body: { ...message, content: contentBlocks.map(({ complete }) => complete), stop_reason: stopReason, usage },
  };
}

/** Anthropic Messages: `POST …/messages` and `…/messages/count_tokens`. */
export const anthropic: Protocol = {
  read,
  write,
  error: (status: number, message: string, nextId: NextId) => ({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? 'api_error', message },
    request_id: nextId('req'),
  }),
  models: openaiModels,
  tokenCount: (body) => ({ input_tokens: tokensIn(body) }),
};
