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
  // An event stream lasts as long as its connection, so its total size has no limit.
  if (!response.body || (stream && init?.method !== 'POST')) return response;
  const { status, statusText, headers } = response;
  const bounded = new Response(response.body.pipeThrough(atMost(MAX_MESSAGE_BYTES)), { status, statusText, headers });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > limit) {
        const message = `an MCP server returned more than ${limit} bytes`;
        controller.error(new ReinsError({ code: 'mcp_server_failed', message }));
      } else controller.enqueue(chunk);
    },
  });
}
