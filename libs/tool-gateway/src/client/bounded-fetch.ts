import { ReinsError } from '@reins/contracts';

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Fetches with a limit on the response size: a remote server must not exhaust the memory of the host. */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  fetchIt: typeof fetch = fetch,
): Promise<Response> {
  const response = await fetchIt(url, init);
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream');
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  // An event stream lasts as long as its connection, so only each of its events has a limit.
  const isEndless = stream && init?.method !== 'POST';
  const limit = isEndless ? eventsAtMost(MAX_MESSAGE_BYTES) : atMost(MAX_MESSAGE_BYTES);
  const bounded = new Response(response.body.pipeThrough(limit), { status, statusText, headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > limit) controller.error(tooLarge(limit));
      else controller.enqueue(chunk);
    },
  });
}

const [LF, CR] = [10, 13];

/** Limits each event of a stream. An empty line ends an event. */
export function eventsAtMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  let isLineEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        seen += 1;
        if (byte !== LF && byte !== CR) isLineEmpty = false;
        else if (isLineEmpty && byte === LF) seen = 0;
        else if (byte === LF) isLineEmpty = true;
        if (seen > limit) return controller.error(tooLarge(limit));
      }
      controller.enqueue(chunk);
    },
  });
}

const tooLarge = (limit: number): ReinsError =>
  new ReinsError({ code: 'mcp_server_failed', message: `an MCP server returned more than ${limit} bytes` });
