import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type Server as HttpServer,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import { type ErrorInfo, ReinsError, type Usage } from '@reins/contracts';
import { type ModelEndpoint, requireApiKey } from '@reins/harness';
import type { ModelFacts } from '@reins/model-catalog';
import { BODY_LIMITS, BodyMemory, type RunBytes } from './body-memory.ts';
import type { CallBudget, Reservation } from './call-budget.ts';
import { CallChecker } from './call-checker.ts';
import { CallSilence, type Silence } from './call-silence.ts';
import { callParameters, tokenOf } from './forwarded-headers.ts';
import type { Refusal } from './model-call.ts';
import { ProviderCalls } from './provider-calls.ts';
import type { ProviderPause } from './provider-pauses.ts';
import type { Busy, CallLimits } from './provider-queue.ts';
import { bodyOf } from './request-body.ts';
import { CallRecorder } from './usage/call-recorder.ts';
import { type EndedCall, sumOf } from './usage/metered-call.ts';
import { wireForm } from './usage/wire-usage.ts';

/** The access of one run to its model. */
export interface ModelAccess {
  /** The endpoint for the executor: an address of this host, and the run token as key. */
  readonly endpoint: ModelEndpoint;
  /** Ends running calls and revokes the token. Idempotent. */
  close(): void;
  /** Why a call was refused because of the budget; undefined if none was. */
  readonly overBudget: ErrorInfo | undefined;
  /** Closes the access. Resolves with the usage of all calls when they have ended; undefined if it is unknown. */
  end(): Promise<Usage | undefined>;
}

/** The endpoint of the provider, with its key, and the model that the run may use. */
export interface ModelGrant {
  readonly endpoint: ModelEndpoint;
  readonly named: { readonly provider: string; readonly model: string };
  /** What is known about the model. Without prices, the cost of the calls is unknown. */
  readonly model?: ModelFacts;
  /** Absent: the calls of the run have no limit. */
  readonly budget?: CallBudget | undefined;
  /** Receives each call of the model when it has ended, in this order. */
  readonly onCall?: (call: EndedCall) => void;
  /** Receives each silence of a provider, while it lasts and when it is over. */
  readonly onSilence?: (silence: Silence) => void;
  /** How long a provider may be silent before this is reported. Default: 10 s. */
  readonly silentAfterMs?: number;
}

interface OpenRun extends ModelGrant, RunBytes {
  /** The address of the provider. */
  readonly target: RequestOptions;
  /** The path of its base URL, without a trailing slash. */
  readonly targetPath: string;
  /** The path of the endpoint in this door. */
  readonly basePath: string;
  readonly closed: AbortController;
  readonly running: Set<Promise<void>>;
  readonly ended: EndedCall[];
  overBudget: ErrorInfo | undefined;
}

/** An executor may use its connection again after a long tool call. A connection that ends at that time fails the call. */
const KEEP_ALIVE_MS = 600_000;
/** How long a client may take to send the head of a call. */
const HEADERS_MS = 15_000;
/** The most connections over TCP, of all executors without a network of their own. Each needs a descriptor. */
const MAX_CONNECTIONS = 4096;
/** The number of concurrent calls of a run. */
const MAX_CALLS = 32;

/**
 * The model door: forwards the model calls of executors to their providers. An executor has an address of this host and
 * a token that ends with its run; only the door has the keys. It allows the calls and the model of the run, and passes
 * the bytes of responses unchanged. Listens on the loopback interface.
 */
export class ModelDoor {
  readonly #http: HttpServer;
  readonly #runs = new Map<string, OpenRun>();
  readonly #checker = new CallChecker();
  readonly #memory = new BodyMemory();
  readonly #providers: ProviderCalls;

  private constructor(...providers: ConstructorParameters<typeof ProviderCalls>) {
    this.#providers = new ProviderCalls(...providers);
    const limits = { headersTimeout: HEADERS_MS, keepAliveTimeout: KEEP_ALIVE_MS };
    this.#http = createServer(limits, (request, response) => void this.#answer(request, response));
    this.#http.maxConnections = MAX_CONNECTIONS;
  }

  /**
   * @param limitsOf the limits of the calls to a provider, by its id
   * @param onPause receives each pause that a provider asks for
   */
  static async start(
    limitsOf: (provider: string) => CallLimits = () => ({}),
    onPause?: (pause: ProviderPause) => void,
  ): Promise<ModelDoor> {
    const door = new ModelDoor(limitsOf, onPause);
    door.#http.listen(0, '127.0.0.1');
    await once(door.#http, 'listening');
    return door;
  }

  /** Holds back the calls to a provider that has asked another host for a pause. */
  pause(pause: ProviderPause): void {
    this.#providers.pause(pause);
  }

  /** The port of the loopback interface on which it listens. */
  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** Serves a connection that did not come over TCP. */
  accept(connection: Socket): void {
    this.#http.emit('connection', connection);
  }

  /**
   * Opens the door for one run.
   * @throws ReinsError `model_provider_unconfigured` when the base URL of the endpoint is invalid,
   * `credentials_unsupported` when its key is the login of a vendor
   */
  open(grant: ModelGrant): ModelAccess {
    const token = `reins-run-${randomBytes(24).toString('base64url')}`;
    requireApiKey(grant.endpoint);
    const url = targetOf(grant.endpoint);
    const targetPath = url.pathname.replace(/\/+$/, '');
    // Clients detect the dialect of a provider by the host name in the address, so the path contains it.
    const basePath = `/${url.host}${targetPath}`;
    const closed = new AbortController();
    const kept = { running: new Set<Promise<void>>(), ended: [], overBudget: undefined, bytes: 0 };
    const target = urlToHttpOptions(url);
    const run: OpenRun = { ...grant, target, targetPath, basePath, closed, ...kept };
    this.#runs.set(token, run);
    return {
      endpoint: { api: grant.endpoint.api, baseUrl: `http://127.0.0.1:${this.port}${basePath}`, apiKey: token },
      close: () => this.#close(token, run),
      get overBudget() {
        return run.overBudget;
      },
      end: async () => {
        this.#close(token, run);
        await Promise.all(run.running);
        return sumOf(run.ended, grant.named);
      },
    };
  }

  #close(token: string, { closed }: OpenRun): void {
    this.#runs.delete(token);
    closed.abort();
  }

  async close(): Promise<void> {
    for (const { closed } of this.#runs.values()) closed.abort();
    this.#runs.clear();
    const ended = once(this.#http, 'close');
    this.#http.close();
    this.#http.closeAllConnections();
    await ended;
    await this.#checker.close();
    this.#providers.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // The path decides what is allowed, so it is compared as it is sent: no dot segments, no decoding.
    const [path = '', query = ''] = (request.url ?? '/').split('?', 2);
    const parameters = new URLSearchParams(query);
    const run = this.#runs.get(tokenOf(request.headers, parameters));
    if (!run) return refuse(response, 401, 'run_token_invalid', 'the run token is missing or has expired');
    if (run.running.size >= MAX_CALLS)
      return refuse(response, 429, 'too_many_model_calls', `a run can make at most ${MAX_CALLS} model calls at once`);
    const forwarded = this.#forward(run, { request, response, path, parameters }).catch((error: unknown) =>
      respondUnavailable(response, error),
    );
    run.running.add(forwarded);
    await forwarded;
    run.running.delete(forwarded);
  }

  async #forward(run: OpenRun, exchange: Exchange): Promise<void> {
    // A client that never completes its call must not keep its run open.
    const stop = () => exchange.request.destroy();
    run.closed.signal.addEventListener('abort', stop);
    let size = 0;
    const accept = ({ byteLength }: Buffer) => {
      size += byteLength;
      return this.#memory.add(run, byteLength);
    };
    try {
      const received = await bodyOf(exchange.request, accept);
      run.closed.signal.removeEventListener('abort', stop);
      if (received) return await this.#check(run, exchange, received);
      if (this.#memory.isTooMuch(run)) return refuse(exchange.response, 413, 'model_call_too_large', TOO_LARGE);
      return refuse(exchange.response, 429, 'too_many_model_calls', HOST_BUSY);
    } finally {
      run.closed.signal.removeEventListener('abort', stop);
      this.#memory.remove(run, size);
    }
  }

  async #check(run: OpenRun, exchange: Exchange, received: Uint8Array): Promise<void> {
    const { request, path } = exchange;
    const relative = path.startsWith(`${run.basePath}/`) ? path.slice(run.basePath.length) : `(${path})`;
    const { named, endpoint } = run;
    const call = {
      api: endpoint.api,
      modelId: named.model,
      method: request.method ?? '',
      path: relative,
      bytes: received,
      isWithoutThinking: run.model?.reasoning === false,
    };
    const checked = await this.#checker.check(call, run.closed.signal);
    if ('bytes' in checked) {
      const form = wireForm(endpoint.api, relative);
      const recorder = form && new CallRecorder(form, checked.estimate, run.model?.prices);
      const reservation = recorder && (await run.budget?.reserve(checked.estimate));
      if (reservation && 'code' in reservation) {
        run.overBudget ??= reservation;
        return refuse(exchange.response, 403, 'budget_exceeded', reservation.message);
      }
      return this.#send(run, exchange, checked.bytes, { recorder, reservation });
    }
    const { status, code, message, ...place } = checked.refusal;
    refuse(exchange.response, status, code, message, place);
  }

  async #send(run: OpenRun, exchange: Exchange, bytes: Uint8Array, measured: Measured): Promise<void> {
    const { recorder, reservation } = measured;
    const { target, targetPath, endpoint, closed, basePath, named, budget } = run;
    const { request, response, parameters } = exchange;
    const path = `${targetPath}${exchange.path.slice(basePath.length)}${callParameters(parameters)}`;
    const { onSilence, silentAfterMs } = run;
    const silence = recorder && onSilence && new CallSilence(onSilence, silentAfterMs);
    const call = { provider: named.provider, endpoint, target, path, bytes, recorder, silence, signal: closed.signal };
    try {
      const busy = await this.#providers.forward(call, request, response);
      if (busy) refuseBusy(response, busy);
    } finally {
      const ended = await recorder?.end();
      if (!ended && reservation) await budget?.release(reservation);
      if (ended) {
        run.ended.push(ended);
        run.onCall?.(ended);
        if (reservation) await budget?.settle(reservation, ended);
      }
    }
  }
}

function targetOf({ baseUrl }: ModelEndpoint): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ReinsError({
    code: 'model_provider_unconfigured',
    message: 'the base URL of the model endpoint is not an http or https address',
    path: 'model_client.base_url',
    hint: 'Set providers.<id>.base_url.',
  });
}

/** What measures a call, and the part of the budget that it may use. */
interface Measured {
  readonly recorder: CallRecorder | undefined;
  readonly reservation: Reservation | undefined;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly parameters: URLSearchParams;
}

type Code = Refusal['code'] | 'run_token_invalid' | 'too_many_model_calls' | 'model_unavailable' | 'budget_exceeded';

const TOO_LARGE = `the model calls of a run are limited to ${BODY_LIMITS.run} bytes at once`;
const HOST_BUSY = 'the host has too many large model calls at once';

/** The error in the form that the clients of all vendors read. */
function refuse(
  response: ServerResponse,
  status: number,
  code: Code,
  message: string,
  place: Pick<Refusal, 'path' | 'hint'> = {},
): void {
  const body = JSON.stringify({ type: 'error', error: { type: code, code, status: code, message, ...place } });
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' }).end(body);
}

/** The provider has no room. Clients try again after the given time. */
function refuseBusy(response: ServerResponse, { retryAfterMs }: Busy): void {
  response.setHeader('retry-after', Math.ceil(retryAfterMs / 1000));
  refuse(response, 429, 'too_many_model_calls', 'the provider accepts no more calls now');
}

/** The provider cannot be reached, or has broken off its response. Messages of others may contain a secret. */
function respondUnavailable(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { code } = error as { code?: unknown };
  const reason = typeof code === 'string' && /^[A-Z_0-9]{1,60}$/.test(code) ? ` (${code})` : '';
  refuse(response, 502, 'model_unavailable', `the provider cannot be reached${reason}`);
}
