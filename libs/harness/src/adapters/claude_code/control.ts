import { type JsonObject, ReinsError } from '@reins/contracts';
import { objectOf, parseObject, textOf } from '../../execution/json.ts';

export interface ControlListener {
  /** A message of the conversation. */
  message(message: JsonObject): void;
  /** A request of Claude Code. Returns the answer. */
  asked(subtype: string, request: JsonObject): JsonObject;
}

/** The stream of JSON lines with Claude Code: messages, and requests with ids in both directions. */
export class ControlStream {
  readonly #send: (message: JsonObject) => void;
  readonly #listener: ControlListener;
  readonly #calls = new Map<string, PromiseWithResolvers<JsonObject>>();
  #lastId = 0;

  constructor(send: (message: JsonObject) => void, listener: ControlListener) {
    this.#send = send;
    this.#listener = listener;
  }

  /** Sends a request. @throws ReinsError `harness_protocol_invalid` when Claude Code refuses it */
  request(request: JsonObject): Promise<JsonObject> {
    this.#lastId += 1;
    const id = `reins-${this.#lastId}`;
    const call = Promise.withResolvers<JsonObject>();
    this.#calls.set(id, call);
    this.#send({ type: 'control_request', request_id: id, request });
    return call.promise;
  }

  /** Sends a message of the user. */
  say(content: readonly JsonObject[]): void {
    this.#send({ type: 'user', message: { role: 'user', content: [...content] } });
  }

  /** Reads one line. Returns whether it is a message of the protocol. */
  line(text: string): boolean {
    const message = parseObject(text);
    if (message === undefined || typeof message.type !== 'string') return false;
    if (message.type === 'control_request') this.#answer(textOf(message.request_id), objectOf(message.request));
    else if (message.type === 'control_response') this.#answered(objectOf(message.response));
    else this.#listener.message(message);
    return true;
  }

  #answer(id: string, request: JsonObject): void {
    const response = this.#listener.asked(textOf(request.subtype), request);
    this.#send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
  }

  #answered({ request_id, subtype, response, error }: JsonObject): void {
    const id = textOf(request_id);
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (subtype === 'success') call?.resolve(objectOf(response));
    else
      call?.reject(
        new ReinsError({
          code: 'harness_protocol_invalid',
          message: `Claude Code refused a request: ${textOf(error).slice(0, 300)}`,
        }),
      );
  }
}

const HOOK = 'reins';

const EACH_CALL: JsonObject[] = [{ matcher: null, hookCallbackIds: [HOOK] }];

/** The event after a call of a tool. */
export const AFTER_CALL = 'PostToolUse';

/** The request with which every connection starts: Claude Code then asks before and after each call of a tool. */
export const INITIALIZE: JsonObject = {
  subtype: 'initialize',
  hooks: { PreToolUse: EACH_CALL, [AFTER_CALL]: EACH_CALL },
};

/** The answer that ends the turn after its calls, without another call of the model. */
export const STOP: JsonObject = { continue: false, stopReason: 'The user is asked.' };

/** The answer to the question whether a tool may be called. */
export function decisionOf(refusal: string | undefined): JsonObject {
  const decision = refusal === undefined ? { permissionDecision: 'allow' } : { permissionDecision: 'deny' };
  const reason = refusal === undefined ? {} : { permissionDecisionReason: refusal };
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision, ...reason } };
}
