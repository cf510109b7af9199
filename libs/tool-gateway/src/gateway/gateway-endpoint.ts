import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, type McpHttpHandler, Server } from '@modelcontextprotocol/server';
import { isObject, type JsonObject, type JsonValue, parseJson } from '@reins/contracts';
import { CALL_ID_FIELD } from '@reins/harness';
import type { ToolCalls } from './tool-calls.ts';

/** The URL and the token of the tools of one run. */
export interface GatewayEndpoint {
  readonly url: string;
  readonly token: string;
  /** Where executors ask about calls of their built-in tools. */
  readonly decisionsUrl: string;
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
const DECISIONS_PATH = '/decisions';
const INFO = { name: 'reins', version: '1' };

/** Serves the tools of one run over streamable HTTP on the loopback interface. Requires the run's token. */
export async function openGateway(calls: ToolCalls): Promise<GatewayEndpoint> {
  const token = randomBytes(32).toString('base64url');
  const handler = createMcpHandler(({ requestInfo }) => serverOf(calls, requestInfo?.signal));
  const http = createServer(
    { headersTimeout: HEADERS_MS },
    (request, response) => void answer(request, response, { handler, token, calls }),
  );
  http.maxConnections = MAX_CONNECTIONS;
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const accept = (connection: Socket): void => void http.emit('connection', connection);
  const origin = `http://127.0.0.1:${port}`;
  const close = () => closeGateway(http, handler);
  return { url: `${origin}/mcp`, decisionsUrl: `${origin}${DECISIONS_PATH}`, token, port, accept, close };
}

function serverOf(calls: ToolCalls, disconnected: AbortSignal | undefined): Server {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [...calls.declarations] }));
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
    const signal = disconnected ? AbortSignal.any([disconnected, mcpReq.signal]) : mcpReq.signal;
    const callId = params._meta?.[CALL_ID_FIELD];
    const args = (params.arguments ?? {}) as JsonObject;
    return calls.call(params.name, args, signal, typeof callId === 'string' ? callId : undefined);
  });
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, token, calls }: { readonly handler: McpHttpHandler; readonly token: string; readonly calls: ToolCalls },
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
    if (request.url === DECISIONS_PATH) {
      const decision = decisionOf(await bodyOf(request), calls);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(decision));
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

/** @throws Error when the body is not a call: it is then refused */
function decisionOf(body: JsonValue, calls: ToolCalls): JsonObject {
  if (!isObject(body) || typeof body.tool !== 'string' || !isObject(body.args)) throw new Error('not a call');
  const callId = typeof body.callId === 'string' ? body.callId : undefined;
  const refusal = calls.refusalOfBuiltIn(body.tool, body.args, callId);
  return refusal === undefined ? { allowed: true } : { allowed: false, refusal };
}

async function bodyOf(request: IncomingMessage): Promise<JsonValue> {
  const chunks: Buffer[] = [];
  for await (const chunk of bounded(request)) chunks.push(chunk);
  return parseJson(Buffer.concat(chunks)) as JsonValue;
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
