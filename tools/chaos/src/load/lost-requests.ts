import type { LostTime } from '../faults/set-back.ts';
import type { LoadResult } from './load.ts';

/** What was submitted and has to end, and what a restored copy knows nothing of. */
export interface CheckedLoad extends LoadResult {
  /** Ids of accepted requests that were lost: nothing is guaranteed for them. Default: none. */
  readonly lost?: ReadonlySet<string>;
}

/**
 * Separates the requests that were accepted in a lost time. Calls to them may be refused.
 * @param acceptedAt by request id: when its response arrived, in milliseconds since the epoch
 */
export function withoutLost(
  { accepted, refused }: LoadResult,
  acceptedAt: ReadonlyMap<string, number>,
  times: readonly LostTime[],
): CheckedLoad {
  const isLost = ([, at]: readonly [string, number]): boolean => times.some(({ from, to }) => at >= from && at <= to);
  const lost = new Set([...acceptedAt].filter(isLost).map(([requestId]) => requestId));
  return {
    accepted: accepted.filter(({ requestId }) => !lost.has(requestId)),
    refused: refused.filter((message) => [...lost].every((requestId) => !message.includes(requestId))),
    lost,
  };
}
