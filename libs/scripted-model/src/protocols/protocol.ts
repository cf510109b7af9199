import type { JsonObject } from '../json.ts';
import type { Answer, ModelRequest, NextId } from '../model.ts';

/** The facts of the address that a reader needs; only Gemini puts any there. */
export interface Address {
  readonly model?: string;
  readonly stream?: boolean;
}

/** One server-sent event. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
}

/** An answer in a protocol's own form, both ways: as one body and as the events of a stream. */
export interface WrittenAnswer {
  readonly body: JsonObject;
  readonly events: readonly StreamEvent[];
}

export interface WriteContext {
  readonly answer: Answer;
  /** The request's body: a few answers depend on its options. */
  readonly body: JsonObject;
  readonly nextId: NextId;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** A wire protocol: how its requests are read, and how its answers, errors and listings are written. */
export interface Protocol {
  read(body: JsonObject, address: Address): ModelRequest;
  write(context: WriteContext): WrittenAnswer;
  error(status: number, message: string, nextId: NextId): JsonObject;
  models(names: readonly string[]): JsonObject;
  tokenCount(body: JsonObject): JsonObject;
}
