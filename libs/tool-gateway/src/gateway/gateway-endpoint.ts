import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { JsonObject } from '@reins/contracts';
import type { ToolCalls } from './tool-calls.ts';

/** The URL and the token of the tools of one run. */
export interface GatewayEndpoint {
  readonly url: string;
  readonly token: string;
  /** The port of the loopback interface on which it listens. */
  readonly port: number;
  /** Serves a connection that did not come over TCP. */
  accept(connection: Socket): void;
  close(): Promise<void>;
}

/** Arguments of a tool call. A larger body would block the host while it is parsed. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** How long a client may take to send the head of a request. */
const HEADERS_MS = 15_000;
/** The most connections over TCP. Each needs a descriptor of this host. */
const MAX_CONNECTIONS = 256;
const INFO = { name: 'reins', version: '1' };

/** Serves the tools of one run over streamable HTTP on the loopback interface. Requires the run's token. */
export async function openGateway(calls: ToolCalls): Promise<GatewayEndpoint> {
  const token = randomBytes(32).toString('base64url');
  const handler = createMcpHandler(({ requestInfo }) => serverOf(calls, requestInfo?.signal));
  const http = createServer(
    { headersTimeout: HEADERS_MS },
    (request, response) => void answer(request, response, { handler, token }),
  );
  http.maxConnections = MAX_CONNECTIONS;
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const accept = (connection: Socket): void => void http.emit('connection', connection);
  return { url: `http://127.0.0.1:${port}/mcp`, token, port, accept, close: () => closeGateway(http, handler) };
}

function serverOf(calls: ToolCalls, disconnected: AbortSignal | undefined): Server {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...calls.declarations] }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const signal = disconnected ? AbortSignal.any([disconnected, mcpReq.signal]) : mcpReq.signal;
    return calls.call(params.name, (params.arguments ?? {}) as JsonObject, signal);
  });
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, token }: { readonly handler: McpHttpHandler; readonly token: string },
): Promise<void> {
  try {
    if (!isAuthorized(request.headers.authorization, token)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const reply = await handler.fetch(webRequest(request, disconnected.signal));
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    if (reply.body) await pipeline(Readable.fromWeb(reply.body as never), response);
    else response.end();
  } catch {
    // The client has disconnected or sent an invalid request. Neither concerns the run.
    if (!response.headersSent) response.writeHead(400);
    response.end();
  }
}

function isAuthorized(authorization: string | undefined, token: string): boolean {
  const actual = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${token}`);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const bodyless = request.method === 'GET' || request.method === 'HEAD';
  const body = bodyless
    ? {}
    : { body: Readable.toWeb(Readable.from(bounded(request))) as never, duplex: 'half' as const };
  return new Request(`http://127.0.0.1${request.url ?? '/'}`, {
    method: request.method ?? 'GET',
    headers,
    signal,
    ...body,
  });
}

/** The body up to the limit. @throws Error when it is larger */
async function* bounded(request: IncomingMessage): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) throw new Error(`the body exceeds ${MAX_BODY_BYTES} bytes`);
    yield chunk;
  }
}

async function closeGateway(http: HttpServer, handler: McpHttpHandler): Promise<void> {
  await handler.close().catch(() => undefined);
  const closed = once(http, 'close');
  http.close();
  http.closeAllConnections();
  await closed;
}
