import { ReinsError } from '@reins/contracts';

const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Fetches with a bound on what an answer may bring: a remote server must not fill the memory of its host. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  const stream = response.headers.get('content-type')?.startsWith('text/event-stream');
  // A stream of events lives as long as its connection; each of its messages is small, or its call fails by its deadline.
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
        const message = `an MCP server answered with more than ${limit} bytes`;
        controller.error(new ReinsError({ code: 'mcp_server_failed', message }));
      } else controller.enqueue(chunk);
    },
  });
}
