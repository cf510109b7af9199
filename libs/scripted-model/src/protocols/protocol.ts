import type { JsonObject } from '../json.ts';
import type { Answer, ModelRequest, NextId } from '../model.ts';

/** Request fields from the URL. Only Gemini has them. */
export interface Address {
  readonly model?: string;
  readonly stream?: boolean;
}

/** One server-sent event. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
}

/** An answer in the format of a protocol, as one body and as stream events. */
export interface WrittenAnswer {
  readonly body: JsonObject;
  readonly events: readonly StreamEvent[];
}

export interface WriteContext {
  readonly answer: Answer;
  /** The body of the request, whose options affect some answers. */
  readonly body: JsonObject;
  readonly nextId: NextId;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** A wire protocol: reads requests, and writes answers, errors and listings. */
export interface Protocol {
  read(body: JsonObject, address: Address): ModelRequest;
  write(context: WriteContext): WrittenAnswer;
  error(status: number, message: string, nextId: NextId): JsonObject;
  models(names: readonly string[]): JsonObject;
  tokenCount(body: JsonObject): JsonObject;
}
