import type { JsonObject, JsonValue } from '@reins/contracts';
import { listOf, numberOf, objectOf, textOf } from '../../execution/json.ts';
import { errorOfLine, ModelError } from './model-error.ts';
import type { ChatAnswer, ChatDelta, ChatToolCall, ChatUsage } from './protocol.ts';

/**
 * Assembles a streamed answer from its lines. The answer is complete only after a finish reason and `[DONE]`, without
 * an error line. A stream that ends earlier is truncated, whatever it contained.
 */
export class AnswerStream {
  readonly #onDelta: (delta: ChatDelta) => void;
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>();
  #text = '';
  #finishReason: string | undefined;
  #usage: ChatUsage | undefined;
  #done = false;

  constructor(onDelta: (delta: ChatDelta) => void) {
    this.#onDelta = onDelta;
  }

  /** @throws ModelError when the line is an error or not a valid chunk */
  line(line: string): void {
    if (line === '' || line.startsWith(':') || this.#done) return;
    const separator = line.indexOf(':');
    const [field, value] = separator < 0 ? [line, ''] : [line.slice(0, separator), line.slice(separator + 1).trim()];
    if (field === 'event' || field === 'id' || field === 'retry') return;
    if (field !== 'data') throw invalid(line);
    if (value === '[DONE]') this.#done = true;
    else this.#chunk(parseChunk(value));
  }

  /** @throws ModelError `model_answer_cut` when the answer is not complete */
  end(): ChatAnswer {
    if (this.#finishReason === undefined || !this.#done) {
      const missing = this.#finishReason === undefined ? 'its finish reason' : '[DONE]';
      throw new ModelError('model_answer_cut', `the stream of the model ended before ${missing}`);
    }
    return {
      text: this.#text,
      calls: this.#toolCalls(),
      finishReason: this.#finishReason,
      ...(this.#usage && { usage: this.#usage }),
    };
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
