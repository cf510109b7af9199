import type { IncomingHttpHeaders } from 'node:http';

/** Any key is accepted, and none is needed; this one is refused, so that a client's 401 can be tested. */
const REFUSED_KEY = 'bad-key';

const SECRET_HEADERS = ['authorization', 'proxy-authorization', 'x-api-key', 'x-goog-api-key', 'cookie'] as const;

/** How the request's API key, wherever its protocol puts it, is taken. */
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

/** The path and query as the log keeps them. */
export function maskPath(url: URL): string {
  if (!url.searchParams.has('key')) return url.pathname + url.search;
  const masked = new URL(url);
  masked.searchParams.set('key', '***');
  return masked.pathname + masked.search;
}
