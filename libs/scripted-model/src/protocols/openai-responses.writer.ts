import type { JsonObject } from '../json.ts';
import { MODEL_NAME, type NextId, type ToolCall } from '../model.ts';
import { argumentText, splitInHalf, tokensIn, tokensOut, words } from './parts.ts';
import type { StreamEvent, WriteContext, WrittenAnswer } from './protocol.ts';

/** Collects and numbers the events of one response and its output items. */
class ResponseStream {
  readonly events: StreamEvent[] = [];
  readonly output: JsonObject[] = [];
  readonly #nextId: NextId;

  constructor(nextId: NextId) {
    this.#nextId = nextId;
  }

  push(event: string, data: JsonObject): void {
    this.events.push({ event, data: { type: event, sequence_number: this.events.length, ...data } });
  }

  /** Starts an item, lets `fill` add its events, and completes it. */
  item(prefix: string, start: JsonObject, end: JsonObject, fill: (at: JsonObject) => void): void {
    const id = this.#nextId(prefix);
    const outputIndex = this.output.length;
    this.push('response.output_item.added', { output_index: outputIndex, item: { id, ...start } });
    fill({ item_id: id, output_index: outputIndex });
    const done = { id, ...start, ...end };
    this.output.push(done);
    this.push('response.output_item.done', { output_index: outputIndex, item: done });
  }
}

function writeThinking(stream: ResponseStream, thinking: string): void {
  const part = { type: 'summary_text', text: thinking };
  stream.item('rs', { type: 'reasoning', summary: [] }, { summary: [part] }, (item) => {
    const at = { ...item, summary_index: 0 };
    stream.push('response.reasoning_summary_part.added', { ...at, part: { type: 'summary_text', text: '' } });
    for (const delta of words(thinking)) stream.push('response.reasoning_summary_text.delta', { ...at, delta });
    stream.push('response.reasoning_summary_text.done', { ...at, text: thinking });
    stream.push('response.reasoning_summary_part.done', { ...at, part });
  });
}

function writeText(stream: ResponseStream, text: string): void {
  const start = { type: 'message', status: 'in_progress', role: 'assistant', content: [] };
  const part = { type: 'output_text', text, annotations: [], logprobs: [] };
  stream.item('msg', start, { status: 'completed', content: [part] }, (item) => {
    const at = { ...item, content_index: 0 };
    stream.push('response.content_part.added', { ...at, part: { type: 'output_text', text: '', annotations: [] } });
    for (const delta of words(text)) stream.push('response.output_text.delta', { ...at, delta, logprobs: [] });
    stream.push('response.output_text.done', { ...at, text, logprobs: [] });
    stream.push('response.content_part.done', { ...at, part });
  });
}

function writeCall(stream: ResponseStream, call: ToolCall): void {
  const form = call.freeform
    ? { prefix: 'ctc', type: 'custom_tool_call', field: 'input', event: 'response.custom_tool_call_input' }
    : { prefix: 'fc', type: 'function_call', field: 'arguments', event: 'response.function_call_arguments' };
  const text = argumentText(call);
  const start = {
    type: form.type,
    status: 'in_progress',
    call_id: call.id,
    name: call.name,
    [form.field]: '',
    ...(call.namespace === undefined ? {} : { namespace: call.namespace }),
  };
  stream.item(form.prefix, start, { status: 'completed', [form.field]: text }, (at) => {
    for (const delta of splitInHalf(text)) stream.push(`${form.event}.delta`, { ...at, delta });
    stream.push(`${form.event}.done`, { ...at, [form.field]: text });
  });
}

/** Writes an answer as a Responses object and as its stream events. */
export function writeResponse({ answer, body, nextId, now }: WriteContext): WrittenAnswer {
  const stream = new ResponseStream(nextId);
  const response = {
    id: nextId('resp'),
    object: 'response',
    created_at: now,
    status: 'in_progress',
    model: MODEL_NAME,
    output: [],
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    usage: null,
  };
  stream.push('response.created', { response });
  stream.push('response.in_progress', { response });
  if (answer.thinking !== undefined) writeThinking(stream, answer.thinking);
  if (answer.text !== undefined) writeText(stream, answer.text);
  for (const call of answer.calls) writeCall(stream, call);

  const [input, output] = [tokensIn(body.input), tokensOut(answer)];
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: answer.thinking === undefined ? 0 : tokensIn(answer.thinking) },
    total_tokens: input + output,
  };
  const completed = { ...response, status: 'completed', output: stream.output, usage };
  stream.push('response.completed', { response: completed });
  return { events: stream.events, body: completed };
}
