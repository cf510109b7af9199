import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Destination } from './connect-allowed.ts';

/** A proxy does not forward these headers. */
const HOP_BY_HOP = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['expect', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);
const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/** The token of a run: the password of the credentials for the proxy. */
export function tokenOf({ 'proxy-authorization': header = '' }: IncomingHttpHeaders): string {
  const [, credentials = ''] = /^Basic +(\S+)$/i.exec(header) ?? [];
  const text = Buffer.from(credentials, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** The destination of a request to the proxy; undefined if it names none, or one that is not http. */
export function destinationOf({
  method,
  url = '',
}: IncomingMessage): (Destination & { readonly url: URL }) | undefined {
  const isTunnel = method === 'CONNECT';
  // An address without a port is not the authority that a tunnel needs.
  if (isTunnel && !/^[^/@?#]+:\d+$/.test(url)) return undefined;
  const parsed = URL.parse(isTunnel ? `tunnel://${url}` : url);
  if (parsed?.username !== '' || parsed.password !== '') return undefined;
  if (!isTunnel && parsed.protocol !== 'http:') return undefined;
  const host = plainHost(parsed.hostname);
  const port = Number(parsed.port || 80);
  return host === undefined || port === 0 ? undefined : { host, port, url: parsed };
}

/** A header `Host` in the form `host:port`; empty if it is invalid. */
export function hostOf(header: string, defaultPort: number): string {
  const parsed = /[/@?#]/.test(header) ? null : URL.parse(`http://${header}`);
  const host = parsed ? plainHost(parsed.hostname) : undefined;
  return host === undefined ? '' : `${host}:${parsed?.port || defaultPort}`;
}

/** The name or the address in lower case, without brackets and without a dot at the end. */
function plainHost(hostname: string): string | undefined {
  const host = hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
  return isIP(host) !== 0 || NAME.test(host) ? host : undefined;
}

export const forwardedHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));
