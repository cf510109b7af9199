import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AllowList } from './allow-list.ts';
import { type ConnectRefusal, connectAllowed, type Destination, type Resolve, resolveName } from './connect-allowed.ts';
import { destinationOf, forwardedHeaders, hostOf, tokenOf } from './proxy-request.ts';
import { tunnel } from './tunnel.ts';

/** A connection that was refused. */
export interface RefusedConnection extends Destination {
  readonly code: ProxyRefusal['code'];
  readonly reason: string;
}

export interface EgressOptions {
  readonly allow: AllowList;
  /** By default, the resolver of this host. */
  readonly resolve?: Resolve;
}

/** The access of one run to the proxy. */
export interface EgressAccess {
  /** The address of the proxy, with the token of the run. */
  readonly url: string;
  readonly token: string;
  /** Ends all connections of the run, and revokes its token. Idempotent. */
  close(): void;
}

interface ProxyRefusal {
  readonly status: 400 | 403 | 407 | 429 | 502;
  readonly code:
    | ConnectRefusal['code']
    | 'network_request_invalid'
    | 'network_token_invalid'
    | 'network_host_mismatch'
    | 'network_busy';
  readonly reason: string;
}

interface OpenRun {
  readonly onRefused: (refused: RefusedConnection) => void;
  readonly closed: AbortController;
  readonly reported: Set<string>;
  connections: number;
  bytes: number;
}

const USER = 'run';
const MAX_RUN_CONNECTIONS = 64;
const MAX_HOST_CONNECTIONS = 512;
/** Connections of clients, also of those without a token. */
const MAX_CLIENTS = 2048;
const MAX_RUN_BYTES = 16 * 1024 ** 3;
const IDLE_MS = 300_000;
const TOTAL_MS = 3_600_000;
const HEADERS_MS = 15_000;
/** The most destinations of a run whose refusal is reported. */
const MAX_REPORTED = 100;

/**
 * The egress proxy: the way of sandboxed processes to the destinations of `host.allow`. An HTTP proxy that requires the
 * token of a run. It resolves names itself and connects to the address that it has checked.
 */
export class EgressProxy {
  readonly #http: HttpServer;
  readonly #options: Required<EgressOptions>;
  readonly #runs = new Map<string, OpenRun>();
  /** Connections of clients, also those that have become tunnels. */
  readonly #clients = new Set<Socket>();
  #connections = 0;

  private constructor(options: EgressOptions) {
    this.#options = { resolve: resolveName, ...options };
    this.#http = createServer({ headersTimeout: HEADERS_MS, requestTimeout: TOTAL_MS }, (from, to) => {
      void this.#forward(from, to);
    });
    this.#http.on('connection', (client) => {
      if (this.#clients.size >= MAX_CLIENTS) return void client.destroy();
      this.#clients.add(client);
      client.once('close', () => this.#clients.delete(client));
    });
    this.#http.on('connect', (from, client, head) => void this.#connect(from, client, head));
  }

  static async start(options: EgressOptions): Promise<EgressProxy> {
    const proxy = new EgressProxy(options);
    proxy.#http.listen(0, '127.0.0.1');
    await once(proxy.#http, 'listening');
    return proxy;
  }

  /** The port of the loopback interface on which it listens. */
  get port(): number {
    return (this.#http.address() as AddressInfo).port;
  }

  /** Serves a connection that did not come over TCP. */
  accept(connection: Socket): void {
    this.#http.emit('connection', connection);
  }

  /** @param onRefused receives each destination that is refused, once */
  open(onRefused: OpenRun['onRefused']): EgressAccess {
    const token = randomBytes(24).toString('base64url');
    const run = { onRefused, closed: new AbortController(), reported: new Set<string>(), connections: 0, bytes: 0 };
    this.#runs.set(token, run);
    return {
      token,
      url: `http://${USER}:${token}@127.0.0.1:${this.port}`,
      close: () => {
        this.#runs.delete(token);
        run.closed.abort();
      },
    };
  }

  async close(): Promise<void> {
    for (const { closed } of this.#runs.values()) closed.abort();
    this.#runs.clear();
    const ended = once(this.#http, 'close');
    this.#http.close();
    for (const client of this.#clients) client.destroy();
    await ended;
  }

  /** A tunnel: TLS, or any other protocol. */
  async #connect(from: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    // What the client sends meanwhile is kept for the tunnel.
    client.pause();
    if (head.byteLength > 0) client.unshift(head);
    const opened = await this.#open(from);
    if ('status' in opened) {
      const body = bodyOf(opened);
      const lines = [`HTTP/1.1 ${opened.status} ${opened.code}`, ...headersOf(opened, body), '', body];
      // What it has sent is read, so that the connection can end.
      client.resume();
      client.end(lines.join('\r\n'), () => client.destroy());
      return;
    }
    const { run, outside, release } = opened;
    const stop = (): void => {
      client.destroy();
      outside.destroy();
    };
    run.closed.signal.addEventListener('abort', stop);
    if (run.closed.signal.aborted) stop();
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    const limits = { idleMs: IDLE_MS, totalMs: TOTAL_MS, count: (bytes: number) => countBytes(run, bytes) };
    tunnel(client, outside, limits, () => {
      run.closed.signal.removeEventListener('abort', stop);
      release();
    });
  }

  /** A request over plain HTTP. Redirects are passed on, so their target is a new request. */
  async #forward(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const opened = await this.#open(from);
    if ('status' in opened) {
      const body = bodyOf(opened);
      const headers = headersOf(opened, body).flatMap((line) => line.split(/: (.*)/, 2));
      to.writeHead(opened.status, headers).end(body);
      return;
    }
    const { run, outside, release, url } = opened;
    const stop = (): void => {
      outside.destroy();
    };
    const count = ({ byteLength }: Buffer) => void (countBytes(run, byteLength) || stop());
    outside.setTimeout(IDLE_MS, stop);
    outside.on('data', count);
    from.on('data', count);
    run.closed.signal.addEventListener('abort', stop);
    if (run.closed.signal.aborted) stop();
    outside.once('close', () => {
      run.closed.signal.removeEventListener('abort', stop);
      release();
    });
    to.once('close', stop);
    try {
      await exchange(from, to, outside, url);
    } catch {
      if (to.headersSent) to.destroy();
      else to.writeHead(502).end();
    }
  }

  /** Connects for a request, or says why not. */
  async #open(from: IncomingMessage): Promise<Opened | ProxyRefusal> {
    const run = this.#runs.get(tokenOf(from.headers));
    if (!run) return refusal(407, 'network_token_invalid', 'the token of the run is missing or has expired');
    const destination = destinationOf(from);
    if (!destination) return refusal(400, 'network_request_invalid', 'the request names no destination');
    const refused = await this.#reach(run, destination, from);
    if (!('status' in refused)) return refused;
    report(run, destination, refused);
    return refused;
  }

  async #reach(
    run: OpenRun,
    destination: Destination & { readonly url: URL },
    from: IncomingMessage,
  ): Promise<Opened | ProxyRefusal> {
    // A server with several names decides by this header, and the proxy by the destination.
    if (from.method !== 'CONNECT' && hostOf(from.headers.host ?? '', 80) !== `${destination.host}:${destination.port}`)
      return refusal(403, 'network_host_mismatch', 'the header Host differs from the destination');
    if (run.connections >= MAX_RUN_CONNECTIONS || this.#connections >= MAX_HOST_CONNECTIONS)
      return refusal(429, 'network_busy', `a run can have at most ${MAX_RUN_CONNECTIONS} connections`);
    run.connections += 1;
    this.#connections += 1;
    let isHeld = true;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      run.connections -= 1;
      this.#connections -= 1;
    };
    const outside = await connectAllowed(destination, { ...this.#options, signal: run.closed.signal });
    if (outside instanceof Socket) return { run, outside, release, url: destination.url };
    release();
    return outside;
  }
}

interface Opened {
  readonly run: OpenRun;
  readonly outside: Socket;
  /** The connection no longer counts. Idempotent. */
  readonly release: () => void;
  readonly url: URL;
}

const refusal = (status: ProxyRefusal['status'], code: ProxyRefusal['code'], reason: string): ProxyRefusal => ({
  status,
  code,
  reason,
});

function countBytes(run: OpenRun, bytes: number): boolean {
  run.bytes += bytes;
  return run.bytes <= MAX_RUN_BYTES;
}

function report(
  { reported, onRefused, closed }: OpenRun,
  { host, port }: Destination,
  { code, reason }: ProxyRefusal,
): void {
  const key = `${host}:${port}`;
  if (closed.signal.aborted || reported.has(key) || reported.size >= MAX_REPORTED) return;
  reported.add(key);
  onRefused({ host, port, code, reason });
}

async function exchange(from: IncomingMessage, to: ServerResponse, outside: Socket, url: URL): Promise<void> {
  const sent = request({
    createConnection: () => outside,
    method: from.method,
    path: `${url.pathname}${url.search}`,
    headers: {
      ...forwardedHeaders(from.headers),
      // Otherwise the bytes of a chunked body would follow the headers as they are, and could contain another request.
      ...(from.headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
      host: url.host,
      connection: 'close',
    },
    setHost: false,
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  const [, [response]] = await Promise.all([pipeline(from, sent), answered]);
  to.writeHead(response.statusCode ?? 502, { ...forwardedHeaders(response.headers) });
  await pipeline(response, to);
}

const HINTS: Partial<Record<ProxyRefusal['code'], string>> = {
  network_connect_denied: 'Ask the operator to add the destination to host.allow.',
  network_address_denied: 'Ask the operator to add the address to host.allow.',
};

/** npm shows `error` to its user. */
function bodyOf({ code, reason }: ProxyRefusal): string {
  const hint = HINTS[code];
  return `${JSON.stringify({ code, error: reason, ...(hint && { hint }) })}\n`;
}

const headersOf = ({ status }: ProxyRefusal, body: string): string[] => [
  'content-type: application/json',
  `content-length: ${Buffer.byteLength(body)}`,
  ...(status === 407 ? ['proxy-authenticate: Basic realm="reins"'] : []),
  'connection: close',
];
