import { type JsonObject, ReinsError } from '@reins/contracts';
import { objectOf, parseObject, textOf } from '../../execution/json.ts';

/** The answer of OpenCode to a request. `status` is 0 if there was none. */
export interface RelayedAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

/** What the relay reports, apart from answers. */
export interface RelayListener {
  event(type: string, properties: JsonObject): void;
  /** The model responded. */
  responded(status: number, body: string): void;
  /** A tool reported a failure. */
  failed(callId: string): void;
  /** A tool asked the user. */
  asked(question: string): void;
}

/** The client of the relay in OpenCode: requests and answers with ids, and reports, one message per line. */
export class RelayClient {
  readonly #send: (message: JsonObject) => void;
  readonly #listener: RelayListener;
  readonly #calls = new Map<number, PromiseWithResolvers<RelayedAnswer>>();
  readonly #ready = Promise.withResolvers<void>();
  #lastId = 0;

  constructor(send: (message: JsonObject) => void, listener: RelayListener) {
    this.#send = send;
    this.#listener = listener;
  }

  /** Resolves when OpenCode takes requests. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Sends a request to an endpoint of OpenCode. */
  request(method: string, path: string, body?: JsonObject): Promise<RelayedAnswer> {
    this.#lastId += 1;
    const call = Promise.withResolvers<RelayedAnswer>();
    this.#calls.set(this.#lastId, call);
    this.#send({ id: this.#lastId, method, path, ...(body && { body }) });
    return call.promise;
  }

  /** Sends a request that must succeed. @throws ReinsError `harness_protocol_invalid` when OpenCode refuses it */
  async require(method: string, path: string, body?: JsonObject): Promise<JsonObject> {
    const answer = await this.request(method, path, body);
    if (answer.status >= 200 && answer.status < 300) return answer.body;
    const why = textOf(answer.body.message) || JSON.stringify(answer.body);
    throw new ReinsError({
      code: 'harness_protocol_invalid',
      message: `OpenCode refused ${method} ${path} (${answer.status}): ${why.slice(0, 300)}`,
    });
  }

  /** Reads one line. Returns whether it is a message of the relay. */
  line(text: string): boolean {
    const message = parseObject(text);
    if (message === undefined) return false;
    const { id, status, body, ready, event, response, failed, question } = message;
    if (typeof id === 'number') {
      this.#calls.get(id)?.resolve({ status: Number(status), body: objectOf(body) });
      this.#calls.delete(id);
    } else if (ready === true) this.#ready.resolve();
    else if (event !== undefined)
      this.#listener.event(textOf(objectOf(event).type), objectOf(objectOf(event).properties));
    else if (response !== undefined)
      this.#listener.responded(Number(objectOf(response).status), textOf(objectOf(response).body));
    else if (typeof failed === 'string') this.#listener.failed(failed);
    else if (typeof question === 'string') this.#listener.asked(question);
    else return false;
    return true;
  }
}
