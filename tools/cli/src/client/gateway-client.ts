import { defined, isObject, type Problem, ReinsError } from '@reins/contracts';
import { createParser } from 'eventsource-parser';
import type { GatewayAddress } from '../context.ts';

const RESPONSE_TIMEOUT_MS = 30_000;

export interface SseEvent {
  /** The value of `Last-Event-ID` to resume after this event. */
  readonly id: string | undefined;
  readonly event: string | undefined;
  /** When the event was published; undefined for deltas. */
  readonly time: string | undefined;
  readonly data: string;
}

/** A client of the gateway's HTTP API. Error responses become ReinsErrors. */
export class GatewayClient {
  readonly #address: GatewayAddress;

  constructor(address: GatewayAddress) {
    this.#address = address;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#request('GET', path)) as T;
  }

  async post<T>(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<T> {
    return (await this.#request('POST', path, body, headers)) as T;
  }

  async bytes(path: string): Promise<Uint8Array> {
    const response = await this.#fetch('GET', path, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    if (!response.ok) throw problemsOf(await textOf(response), response.status);
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * Yields server-sent events until the caller stops or the server ends the stream.
   * @throws ReinsError of the gateway; `service_unavailable` when it cannot be reached or the connection breaks
   */
  async *events(path: string, after: string | undefined, signal: AbortSignal): AsyncGenerator<SseEvent> {
    const headers = { accept: 'text/event-stream', ...defined({ 'last-event-id': after }) };
    const response = await this.#fetch('GET', path, { headers, signal });
    if (!response.ok || !response.body) throw problemsOf(await textOf(response), response.status);
    const ready: SseEvent[] = [];
    let time: string | undefined;
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        ready.push({ id, event, time, data });
        time = undefined;
      },
      // A field of the gateway, which the standard does not have.
      onError: ({ type, field, value }) => {
        if (type === 'unknown-field' && field === 'time') time = value;
      },
    });
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        parser.feed(chunk);
        yield* ready.splice(0);
      }
    } catch (cause) {
      if (signal.aborted) throw cause;
      throw new ReinsError({ code: 'service_unavailable', message: 'the event stream was interrupted' }, { cause });
    }
  }

  async #request(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> {
    const json =
      body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
    const response = await this.#fetch(method, path, { ...json, signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
    const text = await textOf(response);
    if (!response.ok) throw problemsOf(text, response.status);
    return text === '' ? undefined : JSON.parse(text);
  }

  async #fetch(method: string, path: string, init: RequestInit): Promise<Response> {
    const { url, apiKey } = this.#address;
    const headers = new Headers(init.headers);
    if (apiKey) headers.set('authorization', `Bearer ${apiKey}`);
    try {
      return await fetch(`${url}/api/v1${path}`, { ...init, method, headers });
    } catch (cause) {
      if (
        init.signal?.aborted &&
        !(init.signal.reason instanceof DOMException && init.signal.reason.name === 'TimeoutError')
      )
        throw cause;
      const hint = 'Start a system in this folder with `reins up`.';
      throw new ReinsError(
        { code: 'service_unavailable', message: `cannot reach the gateway at ${url}`, hint },
        { cause },
      );
    }
  }
}

const textOf = (response: Response): Promise<string> => response.text().catch(() => '');

/** The problems of an `application/problem+json` response. */
function problemsOf(text: string, status: number): ReinsError {
  const body = parse(text);
  const errors = isObject(body) && Array.isArray(body.errors) ? body.errors.filter(isObject) : [];
  const listed = (errors.length > 0 ? errors : isObject(body) ? [body] : []).flatMap(problemOf);
  if (listed.length > 0) return new ReinsError(listed);
  return new ReinsError({
    code: status === 503 ? 'service_unavailable' : 'internal_error',
    message: `the gateway responded with ${status}`,
  });
}

function problemOf(value: Readonly<Record<string, unknown>>): Problem[] {
  const message = value.message ?? value.detail;
  if (typeof value.code !== 'string' || typeof message !== 'string') return [];
  const text = (field: unknown): string | undefined => (typeof field === 'string' ? field : undefined);
  const path = text(value.path);
  const hint = text(value.hint);
  return [{ code: value.code as Problem['code'], message, ...(path && { path }), ...(hint && { hint }) }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
