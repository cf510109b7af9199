import type { IncomingHttpHeaders } from 'node:http';

/** Every key is accepted, and none is required. Only this one is rejected, so that tests can cause a 401. */
const REFUSED_KEY = 'bad-key';

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'x-goog-api-key', 'cookie'] as const;

/** Checks the API key of a request, in the header or query parameter of any protocol. */
export function checkKey(headers: IncomingHttpHeaders, url: URL): 'absent' | 'accepted' | 'refused' {
  const bearer = /^Bearer (.*)$/i.exec(headers.authorization ?? '')?.[1];
  const key = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? bearer ?? url.searchParams.get('key');
  if (key === undefined || key === null) return 'absent';
  return key === REFUSED_KEY ? 'refused' : 'accepted';
}

export function maskHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const masked = { ...headers };
  for (const name of SECRET_HEADERS) if (masked[name] !== undefined) masked[name] = '***';
  return masked;
}

/** The path and query for the log, with the key masked. */
export function maskPath(url: URL): string {
  if (!url.searchParams.has('key')) return url.pathname + url.search;
  const masked = new URL(url);
  masked.searchParams.set('key', '***');
  return masked.pathname + masked.search;
}
