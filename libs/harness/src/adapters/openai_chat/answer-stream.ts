import type { JsonObject, JsonValue } from '@reins/contracts';
import { createParser, type ParseError } from 'eventsource-parser';
import { listOf, numberOf, objectOf, textOf } from '../../execution/json.ts';
import { errorOfLine, ModelError } from './model-error.ts';
import type { ChatAnswer, ChatDelta, ChatToolCall, ChatUsage } from './protocol.ts';

/** The longest line, or data of one event, in characters. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;

/**
 * Assembles a streamed answer from server-sent events. The answer is complete only after a finish reason and `[DONE]`,
 * without an error event. A stream that ends earlier is truncated, whatever it contained.
 */
export class AnswerStream {
  readonly #onDelta: (delta: ChatDelta) => void;
  readonly #events = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => this.#event(data),
    onError: (error) => this.#reject(error),
  });
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  #text = '';
  #finishReason: string | undefined;
  #usage: ChatUsage | undefined;
  #done = false;

  constructor(onDelta: (delta: ChatDelta) => void) {
    this.#onDelta = onDelta;
  }

  /** Takes the next part of the stream. @throws ModelError when it contains an error or something invalid */
  push(text: string): void {
    if (!this.#done) this.#events.feed(text);
  }

  /** @throws ModelError `model_answer_cut` when the answer is not complete */
  end(): ChatAnswer {
    this.push('\n\n'); // some endpoints omit the empty line after the last event
    if (this.#finishReason === undefined || !this.#done) {
      const missing = this.#finishReason === undefined ? 'its finish reason' : '[DONE]';
      throw new ModelError('model_answer_cut', `the stream of the model ended before ${missing}`);
    }
    // A gateway makes an answer without content of a response that it does not understand.
    if (this.#text === '' && this.#calls.size === 0 && this.#usage === undefined)
      throw new ModelError('model_answer_invalid', 'the answer of the model has no content and no usage');
    return {
      text: this.#text,
      calls: this.#toolCalls(),
      finishReason: this.#finishReason,
      ...(this.#usage && { usage: this.#usage }),
    };
  }

  #event(data: string): void {
    if (this.#done) return;
    if (data.trim() === '[DONE]') this.#done = true;
    else this.#chunk(parseChunk(data));
  }

  /** A line without a known field is not part of an event stream, such as HTML. The interval of a retry has no effect. */
  #reject({ type, line = '' }: ParseError): void {
    if (this.#done || type === 'invalid-retry') return;
    if (type === 'unknown-field') throw invalid(line);
    throw new ModelError(
      'model_answer_invalid',
      `the model endpoint sent an event of more than ${MAX_EVENT_LENGTH} characters`,
    );
  }

  #chunk(chunk: JsonObject): void {
    if (chunk.error !== undefined && chunk.error !== null) throw errorOfLine(errorFields(chunk.error));
    this.#usage = usageOf(chunk.usage) ?? this.#usage;
    const choice = objectOf(listOf(chunk.choices)[0]);
    const delta = objectOf(choice.delta);
    this.#emit('thinking', textOf(delta.reasoning_content) || textOf(delta.reasoning));
    this.#emit('text', textOf(delta.content));
    for (const part of listOf(delta.tool_calls)) this.#callPart(objectOf(part));
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason;
  }

  #emit(kind: ChatDelta['kind'], text: string): void {
    if (text === '') return;
    if (kind === 'text') this.#text += text;
    this.#onDelta({ kind, text });
  }

  /** The parts of one call share its index. Only the first part has the id and name; the arguments come in pieces. */
  #callPart(part: JsonObject): void {
    const index = numberOf(part.index);
    const call = this.#calls.get(index) ?? { id: '', name: '', arguments: '' };
    const declared = objectOf(part.function);
    this.#calls.set(index, {
      id: textOf(part.id) || call.id,
      name: textOf(declared.name) || call.name,
      arguments: call.arguments + textOf(declared.arguments),
    });
  }

  #toolCalls(): ChatToolCall[] {
    const ordered = [...this.#calls].sort(([a], [b]) => a - b);
    return ordered.map(([index, call]) => {
      if (call.name === '') throw new ModelError('model_answer_invalid', 'the model called a tool without a name');
      const id = call.id || `call_${index}`;
      return { id, type: 'function', function: { name: call.name, arguments: call.arguments } };
    });
  }
}

function parseChunk(text: string): JsonObject {
  let chunk: unknown;
  try {
    chunk = JSON.parse(text);
  } catch {
    throw invalid(text);
  }
  if (typeof chunk !== 'object' || chunk === null || Array.isArray(chunk)) throw invalid(text);
  return chunk as JsonObject;
}

function errorFields(error: JsonValue): { message?: unknown; code?: unknown } {
  return typeof error === 'string' ? { message: error } : objectOf(error);
}

function usageOf(value: JsonValue | undefined): ChatUsage | undefined {
  if (value === undefined || value === null) return undefined;
  const usage = objectOf(value);
  return {
    inputTokens: numberOf(usage.prompt_tokens),
    cachedInputTokens: numberOf(objectOf(usage.prompt_tokens_details).cached_tokens),
    outputTokens: numberOf(usage.completion_tokens),
    ...(typeof usage.cost === 'number' && { costUsd: usage.cost }),
  };
}

function invalid(line: string): ModelError {
  return new ModelError(
    'model_answer_invalid',
    `the model endpoint sent an invalid chunk: ${JSON.stringify(line.slice(0, 80))}`,
  );
}
