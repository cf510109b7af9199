import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { Readable } from 'node:stream';

/** Responses with these codes have no body. */
const WITHOUT_BODY = [204, 205, 304];

/**
 * A `fetch` over a Unix socket, whatever server the URL names. It does not follow redirects, and does not decompress.
 * @throws Error of the returned function: as `fetch`, for a connection that fails
 */
export const socketFetch =
  (socketPath: string): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { pathname, search, host } = new URL(request.url);
    const { method, headers, signal } = request;
    const message = send({
      ...{ socketPath, agent: false, signal, method },
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
