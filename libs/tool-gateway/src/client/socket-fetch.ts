import { once } from 'node:events';
import { type IncomingMessage, type RequestOptions, request as sendHttp } from 'node:http';
import { request as sendHttps } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';

/** Connects to a destination. Rejects if it may not be reached. */
export type Connect = (
  destination: { readonly host: string; readonly port: number },
  signal: AbortSignal,
) => Promise<Socket>;

/** Responses with these codes have no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * A `fetch` over a Unix socket, whatever server the URL names. It does not follow redirects, and does not decompress.
 * @throws Error of the returned function: as `fetch`, for a connection that fails
 */
export const socketFetch = (socketPath: string): typeof fetch => fetchWith(() => ({ socketPath, agent: false }));

/**
 * A `fetch` over connections that the given function opens. It does not follow redirects, and does not decompress.
 * @throws Error of the returned function: the error of `connect`, and as `fetch`, for a connection that fails
 */
export const connectedFetch = (connect: Connect): typeof fetch =>
  fetchWith(({ url, signal }) => {
    const { hostname, port, protocol } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const isTls = protocol === 'https:';
    const wrap = (socket: Socket): Socket =>
      isTls ? connectTls({ socket, host, ...(isIP(host) === 0 && { servername: host }) }) : socket;
    return {
      // An agent would open its own connections.
      createConnection: (_options, opened) => {
        connect({ host, port: Number(port) || (isTls ? 443 : 80) }, signal)
          .then((socket) => opened(null, wrap(socket)))
          .catch((error: Error) => opened(error, undefined as never));
        return undefined;
      },
    };
  });

const fetchWith =
  (connectionOf: (request: Request) => RequestOptions): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search, host, protocol } = new URL(request.url);
    const { method, headers, signal } = request;
    const connection = connectionOf(request);
    const send = protocol === 'https:' && connection.socketPath === undefined ? sendHttps : sendHttp;
    const message = send({
      ...{ ...connection, signal, method },
      path: `${pathname}${search}`,
      headers: { ...Object.fromEntries(headers), host },
    });
    message.end(Buffer.from(await request.arrayBuffer()));
    const [response] = (await once(message, 'response')) as [IncomingMessage];
    const { statusCode = 0, statusMessage = '' } = response;
    // A client that cancels the body ends the connection.
    response.on('error', () => undefined);
    const body = WITHOUT_BODY.includes(statusCode) ? null : (Readable.toWeb(response) as ReadableStream);
    if (body === null) response.resume();
    return new Response(body, { status: statusCode, statusText: statusMessage, headers: headersOf(response) });
  };

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  return headers;
}
