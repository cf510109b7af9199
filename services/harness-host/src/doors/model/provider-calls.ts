import {
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { ModelEndpoint } from '@reins/harness';
import type { CallSilence } from './call-silence.ts';
import { callHeaders, responseHeaders } from './forwarded-headers.ts';
import type { ProviderPause } from './provider-pauses.ts';
import { type Busy, type CallLimits, ProviderQueue, retryAfterMs } from './provider-queue.ts';
import { UnreadTime } from './unread-time.ts';
import type { CallRecorder } from './usage/call-recorder.ts';

/** A call that was checked. */
export interface CheckedProviderCall {
  readonly provider: string;
  readonly endpoint: ModelEndpoint;
  /** The address of the provider. */
  readonly target: RequestOptions;
  /** The path of the call, with the parameters. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Measures the call. Undefined for a call that is not an inference. */
  readonly recorder: CallRecorder | undefined;
  /** Notices that the provider does not respond. */
  readonly silence?: CallSilence | undefined;
  /** Ends the call. All calls of a run have the same one. */
  readonly signal: AbortSignal;
}

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** Forwards calls to providers, within the limits of each provider. */
export class ProviderCalls {
  readonly #limitsOf: (provider: string) => CallLimits;
  readonly #onPause: (pause: ProviderPause) => void;
  readonly #queues = new Map<string, ProviderQueue>();
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

  /** @param onPause receives each pause that a provider asks for */
  constructor(limitsOf: (provider: string) => CallLimits, onPause: (pause: ProviderPause) => void = () => undefined) {
    this.#limitsOf = limitsOf;
    this.#onPause = onPause;
  }

  /** Holds back the calls to a provider that has asked another host for a pause. */
  pause({ provider, retryAfterMs }: ProviderPause): void {
    this.#queueOf(provider).refused(retryAfterMs);
  }

  /**
   * Forwards a call when its provider has room, and the answer as it arrives. Resolves with the time to wait if there
   * is no room. @throws when the provider cannot be reached, or the call was cut or ended
   */
  async forward(
    call: CheckedProviderCall,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Busy | undefined> {
    const ended = new AbortController();
    const stop = () => ended.abort();
    const disconnected = () => response.writableFinished || stop();
    // The client may have disconnected while its call was checked.
    if (call.signal.aborted || response.destroyed) stop();
    call.signal.addEventListener('abort', stop);
    response.once('close', disconnected);
    try {
      return await this.#queued(call, { request, response, signal: ended.signal });
    } finally {
      call.signal.removeEventListener('abort', stop);
      response.off('close', disconnected);
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #queued(call: CheckedProviderCall, exchange: Exchange): Promise<Busy | undefined> {
    const queue = this.#queueOf(call.provider);
    const busy = await queue.enter(exchange.signal, call.signal);
    if (busy) return busy;
    try {
      await this.#exchange(call, exchange, queue);
      return undefined;
    } finally {
      queue.leave(call.signal);
    }
  }

  #queueOf(provider: string): ProviderQueue {
    const known = this.#queues.get(provider) ?? new ProviderQueue(this.#limitsOf(provider));
    this.#queues.set(provider, known);
    return known;
  }

  async #exchange(call: CheckedProviderCall, exchange: Exchange, queue: ProviderQueue): Promise<void> {
    const { request, response, signal } = exchange;
    const { recorder, silence } = call;
    // It may have ended in the moment in which its provider had room.
    signal.throwIfAborted();
    recorder?.start();
    silence?.start();
    const sent = this.#send(call, request);
    const destroy = () => {
      recorder?.cut();
      sent.destroy();
    };
    signal.addEventListener('abort', destroy);
    try {
      const reply = await replyTo(sent);
      recorder?.answers(reply);
      reply.on('data', () => silence?.heard());
      if (reply.statusCode === TOO_MANY_REQUESTS || reply.statusCode === UNAVAILABLE) {
        const pauseMs = retryAfterMs(reply.headers['retry-after'], Date.now()) ?? 0;
        if (queue.refused(pauseMs)) this.#onPause({ provider: call.provider, retryAfterMs: pauseMs });
      }
      response.writeHead(reply.statusCode ?? 502, responseHeaders(reply.headers));
      await passOn(reply, response);
      recorder?.received();
    } finally {
      silence?.end();
      signal.removeEventListener('abort', destroy);
    }
  }

  #send({ endpoint, target, path, bytes }: CheckedProviderCall, { headers }: IncomingMessage): ClientRequest {
    const secure = target.protocol === 'https:';
    const sent = (secure ? requestHttps : requestHttp)({
      ...target,
      path,
      method: 'POST',
      agent: this.#agents[secure ? 'https:' : 'http:'],
      headers: callHeaders(headers, endpoint, bytes.byteLength),
    });
    sent.end(bytes);
    return sent;
  }
}

/** The client's side of a call. The signal ends the call. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly signal: AbortSignal;
}

/** @throws when the provider cannot be reached, or the call was ended */
function replyTo(sent: ClientRequest): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  sent.once('response', resolve);
  // Errors after the response are those of the response.
  sent.on('error', reject);
  sent.once('close', () => reject(new Error('the call ended without a response')));
  return promise;
}

/** How long the client of a call may let its answer wait, in all. Meanwhile the call has a place at its provider. */
const MAX_UNREAD_MS = 60_000;

/**
 * Passes the bytes of an answer on as they arrive, no faster than the client reads them.
 * @throws when the answer was cut, or the client has disconnected or does not read
 */
function passOn(reply: IncomingMessage, response: ServerResponse): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let hasBegun = false;
  reply.on('data', (bytes: Buffer) => {
    hasBegun = true;
    if (response.write(bytes)) return;
    reply.pause();
    unread.start();
  });
  const unread = new UnreadTime(MAX_UNREAD_MS, () => response.destroy());
  response.on('drain', () => {
    unread.stop();
    reply.resume();
  });
  response.once('close', () => unread.stop());
  reply.once('end', () => {
    unread.start();
    response.end();
  });
  reply.once('error', reject);
  reply.once('close', () => reply.readableEnded || reject(new Error('the response was truncated')));
  response.once('finish', resolve);
  response.once('close', () => reject(new Error('the client has disconnected')));
  // The client sees that the provider is working, even if there is no output yet.
  setImmediate(() => hasBegun || response.destroyed || response.flushHeaders());
  return promise;
}
