import { once } from 'node:events';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { ModelEndpoint } from '@reins/harness';
import { callHeaders, callParameters, responseHeaders } from './forwarded-headers.ts';
import { type Busy, type CallLimits, ProviderQueue, retryAfterMs } from './provider-queue.ts';
import type { CallRecorder } from './usage/call-recorder.ts';

/** A call that was checked. */
export interface CheckedProviderCall {
  readonly provider: string;
  readonly endpoint: ModelEndpoint;
  /** The address of the provider, without parameters. */
  readonly url: URL;
  readonly parameters: URLSearchParams;
  readonly bytes: Uint8Array;
  /** Measures the call. Undefined for a call that is not an inference. */
  readonly recorder: CallRecorder | undefined;
  /** Ends the call. */
  readonly signal: AbortSignal;
}

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** Forwards calls to providers, within the limits of each provider. */
export class ProviderCalls {
  readonly #limitsOf: (provider: string) => CallLimits;
  readonly #queues = new Map<string, ProviderQueue>();
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

  constructor(limitsOf: (provider: string) => CallLimits) {
    this.#limitsOf = limitsOf;
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
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const signal = AbortSignal.any([disconnected.signal, call.signal]);
    const queue = this.#queueOf(call.provider);
    const busy = await queue.enter(signal);
    if (busy) return busy;
    try {
      await this.#exchange({ ...call, signal }, request, response, queue);
      return undefined;
    } finally {
      queue.leave();
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  #queueOf(provider: string): ProviderQueue {
    const known = this.#queues.get(provider) ?? new ProviderQueue(this.#limitsOf(provider));
    this.#queues.set(provider, known);
    return known;
  }

  async #exchange(
    { url: address, endpoint, parameters, bytes, recorder, signal }: CheckedProviderCall,
    request: IncomingMessage,
    response: ServerResponse,
    queue: ProviderQueue,
  ): Promise<void> {
    recorder?.start();
    const url = new URL(address);
    for (const [name, value] of callParameters(parameters)) url.searchParams.append(name, value);
    const secure = url.protocol === 'https:';
    const call = (secure ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: this.#agents[secure ? 'https:' : 'http:'],
      headers: callHeaders(request.headers, endpoint, bytes.byteLength),
      signal,
    });
    call.end(bytes);
    const [reply] = (await once(call, 'response')) as [IncomingMessage];
    recorder?.answers(reply);
    if (reply.statusCode === TOO_MANY_REQUESTS || reply.statusCode === UNAVAILABLE)
      queue.refused(retryAfterMs(reply.headers['retry-after'], Date.now()) ?? 0);
    response.writeHead(reply.statusCode ?? 502, responseHeaders(reply.headers));
    // The client sees that the provider is working, even if there is no output yet.
    response.flushHeaders();
    await pipeline(reply, response);
    recorder?.received();
  }
}
