import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { objectOf, parseObject, textOf } from '../execution/json.ts';

/** Writes a message to the process. */
export type Send = (message: JsonObject) => void;

export interface JsonRpcListener {
  /** A notification of the process. */
  notified(method: string, params: JsonObject): void;
  /** A request of the process. Returns its result; undefined when it has none. */
  asked(method: string, params: JsonObject): JsonObject | undefined;
}

const UNSUPPORTED = -32601;

/**
 * JSON-RPC with a process, one message per line. `fields` are in every message: `jsonrpc` where the process requires it.
 * Requests go both ways.
 */
export class JsonRpc {
  readonly #title: string;
  readonly #send: Send;
  readonly #listener: JsonRpcListener;
  readonly #calls = new Map<number, PromiseWithResolvers<JsonObject>>();
  #lastId = 0;

  /** @param title the name of the process in messages */
  constructor(title: string, send: Send, listener: JsonRpcListener, fields: JsonObject = {}) {
    this.#title = title;
    this.#send = (message) => send({ ...fields, ...message });
    this.#listener = listener;
  }

  /** Sends a request. @throws ReinsError `harness_protocol_invalid` when the process refuses it */
  call(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const call = Promise.withResolvers<JsonObject>();
    this.#calls.set(this.#lastId, call);
    this.#send({ id: this.#lastId, method, params });
    return call.promise;
  }

  notify(method: string, params?: JsonObject): void {
    this.#send({ method, ...(params && { params }) });
  }

  /** Reads one line. Returns whether it is a message of the protocol. */
  line(text: string): boolean {
    const message = parseObject(text);
    if (message === undefined) return false;
    const { id, method, params, result, error } = message;
    if (typeof method === 'string') {
      if (id === undefined) this.#listener.notified(method, objectOf(params));
      else this.#answer(id, method, objectOf(params));
      return true;
    }
    const call = typeof id === 'number' ? this.#calls.get(id) : undefined;
    if (call === undefined) return error !== undefined || result !== undefined;
    this.#calls.delete(id as number);
    if (error === undefined) call.resolve(objectOf(result));
    else call.reject(new ReinsError(this.#refused(textOf(objectOf(error).message))));
    return true;
  }

  #answer(id: JsonValue, method: string, params: JsonObject): void {
    const result = this.#listener.asked(method, params);
    if (result) this.#send({ id, result });
    else this.#send({ id, error: { code: UNSUPPORTED, message: `${method} is not supported` } });
  }

  #refused(why: string): Problem {
    return { code: 'harness_protocol_invalid', message: `${this.#title} refused a request: ${why.slice(0, 300)}` };
  }
}
