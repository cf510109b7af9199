import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ModelEndpoint } from '@reins/harness';

/** Headers of one connection (RFC 9110 §7.6.1), and headers that the forwarded call sets itself. */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'host', 'content-length', 'expect', 'cookie', 'forwarded'],
]);
/** The headers in which the vendors' clients send a key. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

/** Returns the run token of a call: in a header, or as Google's `?key=`. Empty: the call has none. */
export function tokenOf(headers: IncomingHttpHeaders, query: URLSearchParams): string {
  for (const name of KEY_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') return value.replace(/^Bearer\s+/i, '');
  }
  return query.get('key') ?? '';
}

/**
 * The headers of the forwarded call. The key of the provider replaces the run token in the header that the client uses,
 * or in the header of the API if the client sent the token in the address. Configured headers have precedence.
 */
export function callHeaders(headers: IncomingHttpHeaders, endpoint: ModelEndpoint, bytes: number): OutgoingHttpHeaders {
  const usedHeader = KEY_HEADERS.find((name) => headers[name] !== undefined) ?? 'x-goog-api-key';
  const others = Object.entries(headers).filter(
    ([name]) => !NOT_FORWARDED.has(name) && !(KEY_HEADERS as readonly string[]).includes(name),
  );
  const key = usedHeader === 'authorization' ? `Bearer ${endpoint.apiKey}` : endpoint.apiKey;
  const configured = Object.entries(endpoint.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...Object.fromEntries(others),
    ...(endpoint.apiKey !== '' && { [usedHeader]: key }),
    ...Object.fromEntries(configured),
    'content-length': bytes,
  };
}

/** The headers of the response for the executor: all but those of the connection. */
export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const dropped = new Set([...NOT_FORWARDED, 'set-cookie']);
  dropped.delete('content-length');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}
