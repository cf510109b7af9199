import type { AnswerUsage } from '../../answer/answer.ts';
import { serverSent } from '../server-sent.ts';
import type { ResponseRecord } from './response-records.ts';
import { messageId, messageItem, type ResponseState, responseView, textOf, textPart } from './response-view.ts';

/** The number of the first event of the text. The number of a delta is this one plus the length of the text so far. */
const TEXT = 4;
/** The place of the message in the output. */
const ITEM = { output_index: 0 } as const;

/**
 * The events of a response, each with its `sequence_number`. The number of a delta follows from the length of the text,
 * so it is the same in every stream of the response: a client that resumes gets exactly the text that it does not have.
 */
export class ResponseEvents {
  readonly #record: ResponseRecord;
  readonly #after: number;
  readonly #write: (frame: Buffer) => void;
  /** The place of the text in the response. */
  readonly #part: object;
  #text = '';
  #hasItem = false;

  /** @param after only events with a higher number are written */
  constructor(record: ResponseRecord, after: number, write: (frame: Buffer) => void) {
    this.#record = record;
    this.#after = after;
    this.#write = write;
    this.#part = { item_id: messageId(record), ...ITEM, content_index: 0 };
  }

  start(): void {
    this.#event(0, 'response.created', { response: this.#response({ status: 'queued' }) });
    this.#event(1, 'response.in_progress', { response: this.#response({ status: 'in_progress' }) });
  }

  /** Adds a part of the text. */
  text(part: string): void {
    this.#addItem();
    const before = this.#text.length;
    this.#text += part;
    const known = Math.max(0, this.#after - TEXT - before);
    const delta = part.slice(known);
    if (delta !== '')
      this.#event(TEXT + this.#text.length, 'response.output_text.delta', { ...this.#part, delta, logprobs: [] });
  }

  /**
   * Ends the stream.
   * @param missing what is missing of the text
   */
  end(state: ResponseState, usage: AnswerUsage, missing: string): void {
    const text = textOf(state, this.#record);
    if (text !== undefined) this.#endText(missing);
    const name = text === undefined ? 'response.failed' : 'response.completed';
    this.#event(this.#last + 4, name, { response: responseView(this.#record, state, usage) });
  }

  #endText(missing: string): void {
    // Without the text that the client has, its rest is unknown: the following events have all of it.
    const isUnknown = this.#text === '' && this.#after > TEXT;
    if (isUnknown) this.#addItem();
    if (isUnknown) this.#text = missing;
    else this.text(missing);
    const part = textPart(this.#text);
    this.#event(this.#last + 1, 'response.output_text.done', { ...this.#part, text: this.#text, logprobs: [] });
    this.#event(this.#last + 2, 'response.content_part.done', { ...this.#part, part });
    const item = messageItem(this.#record, this.#text);
    this.#event(this.#last + 3, 'response.output_item.done', { ...ITEM, item });
  }

  /** The number of the last delta. */
  get #last(): number {
    return TEXT + this.#text.length;
  }

  #addItem(): void {
    if (this.#hasItem) return;
    this.#hasItem = true;
    this.#event(2, 'response.output_item.added', { ...ITEM, item: messageItem(this.#record, undefined) });
    this.#event(3, 'response.content_part.added', { ...this.#part, part: textPart('') });
  }

  #response(state: ResponseState): object {
    return responseView(this.#record, state, NO_USAGE);
  }

  #event(sequence_number: number, type: string, fields: object): void {
    if (sequence_number <= this.#after) return;
    this.#write(serverSent({ type, sequence_number, ...fields }, type));
  }
}

const NO_USAGE: AnswerUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
