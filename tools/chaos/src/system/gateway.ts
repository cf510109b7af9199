import { isObject, type JsonObject, type JsonValue, type Stage } from '@reins/contracts';

export interface HttpResponse {
  readonly status: number;
  /** The parsed JSON; undefined when it is invalid. */
  readonly body: unknown;
}

/** The body of `POST /requests`. */
export interface SubmitBody {
  readonly workspace: { readonly id: string; readonly revision?: string };
  readonly input: JsonValue;
  readonly sessionId?: string;
  readonly model?: string;
  readonly stages?: Partial<Record<Stage, string>>;
  readonly metadata?: JsonObject;
}

const REQUEST_TIMEOUT_MS = 15_000;

/** A minimal client of the HTTP API. It returns status and body, and does not throw for error statuses. */
export class Gateway {
  readonly url: string;
  readonly apiKey: string;
  readonly #headers: Readonly<Record<string, string>>;

  /** The headers are sent with every call. */
  constructor(url: string, apiKey: string, headers: Readonly<Record<string, string>> = {}) {
    this.url = url;
    this.apiKey = apiKey;
    this.#headers = headers;
  }

  get(path: string): Promise<HttpResponse> {
    return this.#call(path, { method: 'GET' });
  }

  post(path: string, body: unknown, idempotencyKey?: string): Promise<HttpResponse> {
    return this.send(path, JSON.stringify(body), idempotencyKey);
  }

  /** Posts a raw body, JSON or not. */
  send(path: string, body: string, idempotencyKey?: string): Promise<HttpResponse> {
    const key = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    return this.#call(path, { method: 'POST', body, headers: { 'content-type': 'application/json', ...key } });
  }

  /** @throws TypeError or DOMException when there is no response in time */
  async #call(path: string, init: RequestInit): Promise<HttpResponse> {
    const headers = new Headers({ ...this.#headers, ...(init.headers as Record<string, string>) });
    headers.set('authorization', `Bearer ${this.apiKey}`);
    const response = await fetch(`${this.url}/api/v1${path}`, {
      ...init,
      headers,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    const text = await response.text();
    return { status: response.status, body: parse(text) };
  }
}

/** A string field of a response; empty when it is missing. */
export function textField({ body }: HttpResponse, name: string): string {
  const value = isObject(body) ? body[name] : undefined;
  return typeof value === 'string' ? value : '';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
