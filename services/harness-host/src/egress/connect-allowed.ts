import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import type { AllowList } from './allow-list.ts';
import { type ConnectDecision, decideConnect } from './decide-connect.ts';

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** Returns all addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Why there is no connection. */
export interface ConnectRefusal {
  readonly status: 403 | 502;
  readonly code: Extract<ConnectDecision, { decision: 'deny' }>['code'] | 'network_unreachable';
  readonly reason: string;
}

const CONNECT_MS = 15_000;

export const resolveName: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Connects to a destination, if it is allowed. Connects to the address that was decided about: the name is not resolved
 * again.
 */
export async function connectAllowed(
  { host, port }: Destination,
  { allow, resolve, signal }: { readonly allow: AllowList; readonly resolve: Resolve; readonly signal: AbortSignal },
): Promise<Socket | ConnectRefusal> {
  const byName = decideConnect({ host, port }, allow);
  if (byName.decision === 'deny') return { ...byName, status: 403 };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
  try {
    const addresses = isIP(host) === 0 ? await within(resolve(host), limit) : [host];
    const decisions = addresses.map((address) => ({ address, ...decideConnect({ host, port, address }, allow) }));
    // A name with one private address may be an attempt to reach it.
    const denied = decisions.find((each) => each.decision === 'deny');
    if (denied?.decision === 'deny') return { status: 403, code: denied.code, reason: denied.reason };
    return await firstOf(addresses, port, limit);
  } catch (error) {
    const { code = 'no answer' } = error as { code?: string };
    return { status: 502, code: 'network_unreachable', reason: `${host}:${port} cannot be reached (${code})` };
  }
}

/** Tries the addresses one after another. @throws the error of the last one */
async function firstOf(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  let last: unknown = new Error('the name has no address');
  for (const host of addresses) {
    signal.throwIfAborted();
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true });
    try {
      await once(socket, 'connect', { signal });
      return socket;
    } catch (error) {
      socket.destroy();
      last = error;
    }
  }
  throw last;
}

function within<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, ended]);
}
