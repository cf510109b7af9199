import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ModelEndpoint } from '@reins/harness';

/**
 * The headers of a call that are forwarded: those that the vendors' clients send. Others could select another account
 * or project of the same key, or change how a gateway treats the call.
 */
const FORWARDED =
  /^(?:accept|accept-encoding|accept-language|user-agent|anthropic-(?:version|beta|dangerous-direct-browser-access)|x-stainless-[a-z-]+|x-goog-api-client|openai-beta|idempotency-key|x-client-request-id|session[_-]id|originator|http-referer|x-title|traceparent|tracestate)$/;
/** The parameters of an address that are forwarded: stream format, version of the API. */
const FORWARDED_PARAMETERS = new Set(['alt', 'beta', 'api-version']);
/** Headers of one connection (RFC 9110 §7.6.1), and cookies. */
const NOT_RETURNED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'set-cookie'],
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
  const others = Object.entries(headers).filter(([name]) => FORWARDED.test(name));
  const key = usedHeader === 'authorization' ? `Bearer ${endpoint.apiKey}` : endpoint.apiKey;
  const configured = Object.entries(endpoint.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...Object.fromEntries(others),
    'content-type': 'application/json',
    ...(endpoint.apiKey !== '' && { [usedHeader]: key }),
    ...Object.fromEntries(configured),
    'content-length': bytes,
  };
}

/** The parameters of the forwarded address: empty, or with a leading `?`. */
export function callParameters(query: URLSearchParams): string {
  if (query.size === 0) return '';
  const forwarded = new URLSearchParams([...query].filter(([name]) => FORWARDED_PARAMETERS.has(name)));
  return forwarded.size === 0 ? '' : `?${forwarded}`;
}

/** The headers of the response for the executor: all but those of the connection. */
export function responseHeaders(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !NOT_RETURNED.has(name)));
}
