import { type JsonObject, type JsonValue, type Problem, ReinsError } from '@reins/contracts';
import { objectOf, parseObject, textOf } from '../../execution/json.ts';

/** Writes a message to the process. */
export type Send = (message: JsonObject) => void;

export interface AppServerListener {
  /** A notification of Codex. */
  notified(method: string, params: JsonObject): void;
  /** A request of Codex. Returns its result; undefined when it has none. */
  asked(method: string, params: JsonObject): JsonObject | undefined;
}

const UNSUPPORTED = -32601;

/** The client of `codex app-server`: JSON-RPC without the field `jsonrpc`, one message per line. */
export class AppServer {
  readonly #send: Send;
  readonly #listener: AppServerListener;
  readonly #calls = new Map<number, PromiseWithResolvers<JsonObject>>();
  #lastId = 0;

  constructor(send: Send, listener: AppServerListener) {
    this.#send = send;
    this.#listener = listener;
  }

  /** Sends a request. @throws ReinsError `harness_protocol_invalid` when Codex refuses it */
  call(method: string, params: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const call = Promise.withResolvers<JsonObject>();
    this.#calls.set(this.#lastId, call);
    this.#send({ id: this.#lastId, method, params });
    return call.promise;
  }

  notify(method: string): void {
    this.#send({ method });
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
    else call.reject(new ReinsError(refused(textOf(objectOf(error).message))));
    return true;
  }

  #answer(id: JsonValue, method: string, params: JsonObject): void {
    const result = this.#listener.asked(method, params);
    if (result) this.#send({ id, result });
    else this.#send({ id, error: { code: UNSUPPORTED, message: `${method} is not supported` } });
  }
}

const refused = (why: string): Problem => ({
  code: 'harness_protocol_invalid',
  message: `Codex refused a request: ${why.slice(0, 300)}`,
});

/** The request with which every connection starts. */
export const INITIALIZE: JsonObject = {
  clientInfo: { name: 'reins', title: 'Reins', version: '1' },
  capabilities: { experimentalApi: true, requestAttestation: false },
};
