import { isMetadataAddress, isPublicAddress } from './addresses.ts';
import type { AllowList } from './allow-list.ts';

/** A connection that a process of a run asks for. */
export interface ConnectRequest {
  /** The name or the address, in lower case. */
  readonly host: string;
  readonly port: number;
  /** The address that the name has now. Absent: it is not resolved yet. */
  readonly address?: string;
}

export type ConnectDecision =
  | { readonly decision: 'allow' }
  | {
      readonly decision: 'deny';
      readonly code: 'network_connect_denied' | 'network_address_denied';
      readonly reason: string;
    };

const ALLOW: ConnectDecision = { decision: 'allow' };

/**
 * Decides about a connection, before its name is resolved, and again for its address. A name must be allowed. A private
 * address must be allowed as well, because the owner of the name decides which address it has.
 */
export function decideConnect({ host, port, address }: ConnectRequest, allow: AllowList): ConnectDecision {
  if (!allow.hasHost(host, port))
    return { decision: 'deny', code: 'network_connect_denied', reason: `${host}:${port} is not in host.allow` };
  if (address === undefined) return ALLOW;
  if (isMetadataAddress(address)) return denied(host, address, 'is link-local or serves the metadata of a cloud');
  if (isPublicAddress(address) || allow.hasAddress(address, port)) return ALLOW;
  return denied(host, address, 'is not public, and is not in host.allow');
}

const denied = (host: string, address: string, why: string): ConnectDecision => ({
  decision: 'deny',
  code: 'network_address_denied',
  reason: `the address ${address} of ${host} ${why}`,
});
