import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type Authenticator,
  credsAuthenticator,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  nkeyAuthenticator,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/nats-core';
import { ReinsError } from '@reins/contracts';
import type { BusObserver } from '../consume/observer.ts';
import { connectBatching } from './batching-transport.ts';
import { RequestMultiplexer } from './request-multiplexer.ts';
import { assertServerVersion } from './server-version.ts';
import { type BusAuth, type BusLog, type BusSettings, silentLog } from './settings.ts';

export type LinkState = 'connected' | 'disconnected' | 'closed';

/** How much of a publisher is on its way, and how much waits for room. */
export interface PublisherLoad {
  readonly inFlight: number;
  readonly waiting: number;
}

const RECONNECT_WAIT_MS = 200;
const PING_INTERVAL_MS = 10_000;
const DRAIN_MS = 5_000;
const REQUEST_TIMEOUT_MS = 5_000;

/** One connection of one service to JetStream. Everything else of this package works on it. */
export class Bus {
  readonly name: string;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly log: BusLog;
  readonly inboxPrefix: string | undefined;
  readonly observer: BusObserver | undefined;
  /** The publishers that are open: how full their windows are. */
  readonly publishers = new Set<PublisherLoad>();
  /** The server has one replica of each stream, so that whoever answers a read is its leader. */
  singleReplica = false;
  readonly #multiplexer: RequestMultiplexer;
  #state: LinkState = 'connected';
  readonly #listeners = new Set<(state: LinkState) => void>();

  /** @internal Use `connectBus`. */
  constructor(settings: BusSettings, nc: NatsConnection, jsm: JetStreamManager) {
    this.name = settings.name;
    this.log = settings.log ?? silentLog;
    this.inboxPrefix = settings.inboxPrefix;
    this.observer = settings.observer;
    this.nc = nc;
    this.jsm = jsm;
    const timeoutMs = settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.js = jetstream(nc, { timeout: timeoutMs });
    this.#multiplexer = new RequestMultiplexer(nc, { inboxPrefix: settings.inboxPrefix, timeoutMs });
    void this.#follow();
  }

  get state(): LinkState {
    return this.#state;
  }

  /**
   * Sends a request; resolves with its answer, also where that says that nobody listens.
   * @throws ReinsError `bus_unavailable`: what became of it is not known; `bus_request_invalid`, `bus_message_too_large`: it was
   * never sent
   */
  request(subject: string, data: Uint8Array, headers?: MsgHdrs): Promise<Msg> {
    if (this.#state !== 'connected') return Promise.reject(this.#linkLost());
    return this.#multiplexer.request(subject, data, headers);
  }

  #linkLost(): ReinsError {
    return new ReinsError({ code: 'bus_unavailable', message: `the link to NATS is ${this.#state}` });
  }

  /** Tells every change of the link; answers with the function that ends the watch. */
  onState(listener: (state: LinkState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Flushes what was published, then closes. Stop consumptions and publishers before. */
  async close(): Promise<void> {
    if (this.nc.isClosed()) return;
    // Draining waits for the server, which may never come back.
    const late = AbortSignal.timeout(DRAIN_MS);
    const expired = new Promise<void>((resolve) => late.addEventListener('abort', () => resolve(), { once: true }));
    if (this.#state === 'connected') await Promise.race([this.nc.drain().catch(() => {}), expired]);
    this.#multiplexer.close();
    await this.nc.close();
  }

  async #follow(): Promise<void> {
    for await (const status of this.nc.status()) {
      if (status.type === 'disconnect') this.#enter('disconnected');
      else if (status.type === 'reconnect') this.#enter('connected');
      else if (status.type === 'error')
        this.log.warn({ error: status.error.message }, 'the NATS server reported an error');
    }
    this.#enter('closed');
  }

  #enter(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.log.info({ state, server: this.nc.getServer() }, 'link to NATS');
    this.#multiplexer.fail(this.#linkLost());
    for (const listener of [...this.#listeners]) listener(state);
  }
}

/**
 * Connects, and reconnects for ever from then on.
 * @throws ReinsError `bus_unavailable` when no server answers, `bus_server_too_old`
 */
export async function connectBus(settings: BusSettings): Promise<Bus> {
  const nc = await open(settings);
  try {
    assertServerVersion(nc.info?.version ?? '');
    const timeout = settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    return new Bus(settings, nc, await jetstreamManager(nc, { checkAPI: false, timeout }));
  } catch (error) {
    await nc.close();
    throw error;
  }
}

async function open(settings: BusSettings): Promise<NatsConnection> {
  const servers = typeof settings.servers === 'string' ? settings.servers : [...settings.servers];
  try {
    return await connectBatching({
      servers,
      name: settings.name,
      authenticator: settings.auth && authenticator(settings.auth),
      tls: settings.tls,
      inboxPrefix: settings.inboxPrefix,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_WAIT_MS,
      pingInterval: PING_INTERVAL_MS,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
    });
  } catch (cause) {
    const where = withoutCredentials([servers].flat());
    throw new ReinsError(
      {
        code: 'bus_unavailable',
        message: `cannot connect to NATS at ${where}: ${cause instanceof Error ? cause.message : String(cause)}`,
        hint: 'start a NATS server with JetStream there, or point the installation at one',
      },
      { cause },
    );
  }
}

const withoutCredentials = (servers: readonly string[]): string =>
  servers.map((server) => server.replace(/^(\w+:\/\/)?.*@/, '$1')).join(', ');

function authenticator(auth: BusAuth): Authenticator {
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  if ('user' in auth) return usernamePasswordAuthenticator(auth.user, auth.password);
  if ('token' in auth) return tokenAuthenticator(auth.token);
  if ('nkeySeed' in auth) return nkeyAuthenticator(encode(auth.nkeySeed));
  return credsAuthenticator(encode(auth.credentials));
}
