import { asList, asObject, asText, type JsonObject } from '../json.ts';
import { MODEL_NAME, type ModelRequest, type OfferedTool, type ToolCall, type Turn } from '../model.ts';
import { openaiError, openaiModels } from './openai-common.ts';
import { argumentText, contentTexts, splitInHalf, tokensIn, tokensOut, words } from './parts.ts';
import type { Protocol, StreamEvent, WriteContext, WrittenAnswer } from './protocol.ts';

const TURN_KINDS: Readonly<Record<string, Turn['kind']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'result',
  function: 'result',
};

function readTurn(value: unknown): Turn {
  const message = asObject(value);
  return { kind: TURN_KINDS[String(message.role)] ?? 'other', texts: contentTexts(message.content) };
}

function readTool(value: unknown): readonly OfferedTool[] {
  const tool = asObject(value);
  const freeform = tool.type === 'custom';
  const declared = asObject(freeform ? tool.custom : tool.function);
  const name = asText(declared.name);
  return name === undefined ? [] : [{ name, freeform, schema: asObject(declared.parameters) }];
}

function read(body: JsonObject): ModelRequest {
  return {
    model: asText(body.model) ?? '',
    stream: body.stream === true,
    turns: asList(body.messages).map(readTurn),
    tools: asList(body.tools).flatMap(readTool),
  };
}

function writeCall(call: ToolCall): JsonObject {
  return call.freeform
    ? { id: call.id, type: 'custom', custom: { name: call.name, input: argumentText(call) } }
    : { id: call.id, type: 'function', function: { name: call.name, arguments: argumentText(call) } };
}

/** The deltas of one call: its name first, then its arguments in pieces. */
function callDeltas(call: ToolCall, index: number): readonly JsonObject[] {
  const [kind, field] = call.freeform ? ['custom', 'input'] : ['function', 'arguments'];
  return [
    { index, id: call.id, type: kind, [kind]: { name: call.name, [field]: '' } },
    ...splitInHalf(argumentText(call)).map((part) => ({ index, [kind]: { [field]: part } })),
  ];
}

function write({ answer, body, nextId, now }: WriteContext): WrittenAnswer {
  const [input, output] = [tokensIn(body.messages), tokensOut(answer)];
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0 },
  };
  const finish = answer.calls.length > 0 ? 'tool_calls' : 'stop';
  const base = { id: nextId('chatcmpl'), created: now, model: MODEL_NAME };
  const message = {
    role: 'assistant',
    content: answer.text ?? null,
    ...(answer.thinking === undefined ? {} : { reasoning_content: answer.thinking }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(writeCall) }),
  };

  const chunk = (delta: JsonObject, finishReason: string | null = null): StreamEvent => ({
    data: { ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finishReason }] },
  });
  const withUsage = asObject(body.stream_options).include_usage === true;
  const events: StreamEvent[] = [
    chunk({ role: 'assistant', content: '' }),
    ...words(answer.thinking).map((word) => chunk({ reasoning_content: word })),
    ...words(answer.text).map((word) => chunk({ content: word })),
    ...answer.calls.flatMap(callDeltas).map((delta) => chunk({ tool_calls: [delta] })),
    chunk({}, finish),
    ...(withUsage ? [{ data: { ...base, object: 'chat.completion.chunk', choices: [], usage } }] : []),
    { data: '[DONE]' },
  ];
  const choices = [{ index: 0, message, finish_reason: finish }];
  return { events, body: { ...base, object: 'chat.completion', choices, usage } };
}

/** OpenAI Chat Completions: `POST …/chat/completions`. */
export const openaiChat: Protocol = {
  read,
  write,
  error: openaiError,
  models: openaiModels,
  tokenCount: (body) => ({ input_tokens: tokensIn(body) }),
};
