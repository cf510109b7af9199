import { type BlockList, isIP } from 'node:net';
import { ReinsError } from '@reins/contracts';
import { contains, networks } from './addresses.ts';

/** The destinations of `host.allow`. */
export interface AllowList {
  /** Whether an entry names the host. An address needs an entry of its own. */
  hasHost(host: string, port: number): boolean;
  /** Whether an entry has the address itself, or a network with it. */
  hasAddress(address: string, port: number): boolean;
}

interface Entry {
  /** Absent: any port of an address, and the ports of the web for a name. */
  readonly port: number | undefined;
  readonly network?: BlockList;
  readonly name?: string;
  /** Whether the name stands for all names below it. */
  readonly isWildcard?: boolean;
}

/** Those of a name without a port: HTTPS and HTTP. */
const WEB_PORTS = [443, 80];
const ENTRY = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/;

/** @throws ReinsError `settings_invalid` for an entry that is not a destination */
export function allowList(entries: readonly string[]): AllowList {
  const all = entries.map(entryOf);
  const hasAddress = (address: string, port: number): boolean =>
    all.some((entry) => entry.network && (entry.port ?? port) === port && contains(entry.network, address));
  return {
    hasHost: (host, port) =>
      isIP(host) === 0 ? all.some((entry) => isNamed(entry, host, port)) : hasAddress(host, port),
    hasAddress,
  };
}

function isNamed({ name, isWildcard, port: allowed }: Entry, host: string, port: number): boolean {
  if (name === undefined || !(allowed === undefined ? WEB_PORTS.includes(port) : allowed === port)) return false;
  return isWildcard ? host.endsWith(`.${name}`) : host === name;
}

function entryOf(text: string): Entry {
  const [, inBrackets, plain = '', digits] = ENTRY.exec(text) ?? [];
  const port = digits === undefined ? undefined : Number(digits);
  const host = (inBrackets ?? plain).toLowerCase();
  const [address = '', prefix] = host.split('/');
  const family = isIP(address);
  if (host === '' || (port !== undefined && (port < 1 || port > 65_535))) throw invalid(text);
  if (family === 0) {
    if (prefix !== undefined || inBrackets !== undefined || /^[\d.]+$/.test(host)) throw invalid(text);
    return { port, name: host.replace(/^\*\./, ''), isWildcard: host.startsWith('*.') };
  }
  if (prefix !== undefined && Number(prefix) > (family === 4 ? 32 : 128)) throw invalid(text);
  return { port, network: networks([host]) };
}

function invalid(text: string): ReinsError {
  return new ReinsError({
    code: 'settings_invalid',
    message: `${JSON.stringify(text)} is not a destination`,
    path: 'host.allow',
    hint: 'Write a name (example.com), *.name, an address or a network, each with or without a port (:443).',
  });
}
