import { randomUUID } from 'node:crypto';
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import {
  type Authenticator,
  credsAuthenticator,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  nkeyAuthenticator,
  PermissionViolationError,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from '@nats-io/nats-core';
import { defined, ReinsError } from '@reins/contracts';
import type { BusObserver } from '../consume/observer.ts';
import { connectBatching } from './batching-transport.ts';
import type { ConnectionState, LinkState } from './link-state.ts';
import { RequestMultiplexer } from './request-multiplexer.ts';
import { retryableManager } from './retryable-manager.ts';
import { assertServerVersion } from './server-version.ts';
import { type BusAuth, type BusLog, type BusSettings, silentLog } from './settings.ts';

/** Number of messages in flight, and of messages waiting for room in the window. */
export interface PublisherLoad {
  readonly inFlight: number;
  readonly backlog: number;
}

const RECONNECT_WAIT_MS = 200;
const PING_INTERVAL_MS = 10_000;
const DRAIN_MS = 5_000;
const REQUEST_TIMEOUT_MS = 5_000;
const DEFAULT_API_PREFIX = '$JS.API';

/** A service's connection to JetStream. Everything else in this package uses it. */
export class Bus implements ConnectionState {
  /** Differs for each connection of each process. */
  readonly id = randomUUID();
  readonly name: string;
  readonly nc: NatsConnection;
  readonly js: JetStreamClient;
  /** Its calls throw ReinsError `bus_unavailable` when there is no response. */
  readonly jsm: JetStreamManager;
  readonly log: BusLog;
  readonly inboxPrefix: string | undefined;
  /** The prefix of subjects of the JetStream API. */
  readonly apiPrefix: string;
  readonly readerNames: BusSettings['readerNames'];
  readonly observer: BusObserver | undefined;
  /** Open publishers, from which metrics read their load. */
  readonly publishers = new Set<PublisherLoad>();
  /** True when every stream has a single replica, so that its leader answers every read. */
  singleReplica = false;
  readonly #multiplexer: RequestMultiplexer;
  #state: LinkState = 'connected';
  readonly #listeners = new Set<(state: LinkState) => void>();
  readonly #refusalListeners = new Set<(subject: string) => void>();

  /** @internal Use `connectBus`. */
  constructor(settings: BusSettings, nc: NatsConnection, jsm: JetStreamManager) {
    this.name = settings.name;
    this.log = settings.log ?? silentLog;
    this.inboxPrefix = settings.inboxPrefix;
    this.apiPrefix = settings.apiPrefix ?? DEFAULT_API_PREFIX;
    this.readerNames = settings.readerNames;
    this.observer = settings.observer;
    this.nc = nc;
    this.jsm = retryableManager(this, jsm);
    const timeoutMs = settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    this.js = jetstream(nc, { timeout: timeoutMs, apiPrefix: this.apiPrefix });
    this.#multiplexer = new RequestMultiplexer(nc, { inboxPrefix: settings.inboxPrefix, timeoutMs });
    void this.#followStatus();
  }

  get state(): LinkState {
    return this.#state;
  }

  /**
   * Sends a request and resolves with its reply, which may be status 503 (no responders).
   * @throws ReinsError `bus_unavailable`: the outcome is unknown; `bus_request_invalid`, `bus_message_too_large`: the
   * request was not sent
   */
  request(subject: string, data: Uint8Array, headers?: MsgHdrs): Promise<Msg> {
    if (this.#state !== 'connected') return Promise.reject(this.#linkLost());
    return this.#multiplexer.request(subject, data, headers);
  }

  #linkLost(): ReinsError {
    return new ReinsError({ code: 'bus_unavailable', message: `the connection to NATS is ${this.#state}` });
  }

  /** Calls the listener on every change of the connection state. Returns a function that removes the listener. */
  onState(listener: (state: LinkState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls the listener with each subject on which this user may not publish, after the server has refused a message on
   * it. Returns a function that removes the listener.
   */
  onRefusedSubject(listener: (subject: string) => void): () => void {
    this.#refusalListeners.add(listener);
    return () => this.#refusalListeners.delete(listener);
  }

  /** Flushes published messages, then closes. Stop consumptions and publishers first. */
  async close(): Promise<void> {
    if (this.nc.isClosed()) return;
    // Draining waits for the server, which may be gone for good.
    const deadline = AbortSignal.timeout(DRAIN_MS);
    const expired = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }));
    if (this.#state === 'connected') await Promise.race([this.nc.drain().catch(() => {}), expired]);
    this.#multiplexer.close();
    await this.nc.close();
  }

  async #followStatus(): Promise<void> {
    for await (const status of this.nc.status()) {
      if (status.type === 'disconnect') this.#enterState('disconnected');
      else if (status.type === 'reconnect') this.#enterState('connected');
      else if (status.type === 'error') this.#serverError(status.error);
    }
    this.#enterState('closed');
  }

  #serverError(error: Error): void {
    this.log.warn({ error: error.message }, 'the NATS server reported an error');
    if (!(error instanceof PermissionViolationError) || error.operation !== 'publish') return;
    for (const listener of [...this.#refusalListeners]) listener(error.subject);
  }

  #enterState(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.log.info({ state, server: this.nc.getServer() }, 'NATS connection state changed');
    this.#multiplexer.fail(this.#linkLost());
    for (const listener of [...this.#listeners]) listener(state);
  }
}

/**
 * Connects to NATS. The connection then reconnects forever.
 * @throws ReinsError `bus_unavailable` when no server answers, `bus_server_too_old`
 */
export async function connectBus(settings: BusSettings): Promise<Bus> {
  const nc = await open(settings);
  try {
    assertServerVersion(nc.info?.version ?? '');
    const timeout = settings.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
    const apiPrefix = settings.apiPrefix ?? DEFAULT_API_PREFIX;
    return new Bus(settings, nc, await jetstreamManager(nc, { checkAPI: false, timeout, apiPrefix }));
  } catch (error) {
    await nc.close();
    throw error;
  }
}

async function open(settings: BusSettings): Promise<NatsConnection> {
  const servers = typeof settings.servers === 'string' ? settings.servers : [...settings.servers];
  try {
    return await connectBatching({
      ...defined({
        authenticator: settings.auth && authenticator(settings.auth),
        tls: settings.tls,
        inboxPrefix: settings.inboxPrefix,
      }),
      servers,
      name: settings.name,
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
        hint: 'Start a NATS server with JetStream there, or set nats.url to another one.',
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
