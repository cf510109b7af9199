import type { HarnessOffer } from '@reins/contracts';
import type { CallLimits } from './provider-queue.ts';

/** The hosts whose runtimes call models, and this one. */
export function modelHosts(offers: readonly HarnessOffer[], ownId: string): readonly string[] {
  const hosts = offers.filter(({ capabilities = [] }) => capabilities.includes('model')).map(({ hostId }) => hostId);
  return [...new Set([...hosts, ownId])].toSorted();
}

/**
 * The part of a provider's limit that one of several hosts may use. The parts add up to the limit, unless there are more
 * hosts than calls: each host may make at least one.
 */
export function shareOfLimit(limit: number, hosts: readonly string[], ownId: string): number {
  const extra = hosts.indexOf(ownId) < limit % hosts.length ? 1 : 0;
  return Math.max(1, Math.floor(limit / hosts.length) + extra);
}

/** The limits of a provider for one host. They change with the hosts. */
export function sharedLimits(
  { maxCalls, maxWaitingCalls }: CallLimits,
  hosts: () => readonly string[],
  ownId: string,
): CallLimits {
  return {
    maxWaitingCalls,
    get maxCalls() {
      return maxCalls === undefined ? undefined : shareOfLimit(maxCalls, hosts(), ownId);
    },
  };
}
