import type { Restore } from '../faults/set-back.ts';
import type { AcceptedRequest, LoadResult } from './load.ts';

/** What was submitted, before it is known which requests were lost. */
export interface UncertainLoad extends LoadResult {
  /**
   * Accepted in a lost time, and not in the copy. Some may have been submitted again: those whose command was published
   * once more after the restore.
   */
  readonly uncertain: readonly AcceptedRequest[];
}

/** What was submitted and has to end, and what a restored copy knows nothing of. */
export interface CheckedLoad extends LoadResult {
  /** Ids of accepted requests that a restore removed. Default: none. */
  readonly lost?: ReadonlySet<string>;
}

/** The message of a call that got 404, with the id of its request. */
const NOT_FOUND = / (?:to|of) (\S+): 404/;

/**
 * Separates the requests that were accepted in a lost time. Those that the copy had must end like any request.
 * @param acceptedAt by request id: when its response arrived, in milliseconds since the epoch
 */
export function withUncertain(
  { accepted, refused }: LoadResult,
  acceptedAt: ReadonlyMap<string, number>,
  restores: readonly Restore[],
): UncertainLoad {
  const isUncertain = ({ requestId }: AcceptedRequest): boolean => {
    const at = acceptedAt.get(requestId) ?? 0;
    return restores.some(({ from, to, known }) => at >= from && at <= to && !known.has(requestId));
  };
  // A copy may have the command of a request, but not its record: then it is not found until its run starts.
  const isWithoutRecord = (message: string): boolean => {
    const at = acceptedAt.get(NOT_FOUND.exec(message)?.[1] ?? '') ?? 0;
    return restores.some(({ from, to }) => at >= from && at <= to);
  };
  const all = accepted.flatMap((request) => (isUncertain(request) ? [request, ...repeatsOf(request)] : [request]));
  return {
    accepted: all.filter((request) => !isUncertain(request)),
    refused: refused.filter((message) => !isWithoutRecord(message)),
    uncertain: all.filter(isUncertain),
  };
}

/** After a restore, a repeated submission with a lost key is another request. */
function repeatsOf(request: AcceptedRequest): AcceptedRequest[] {
  const others = new Set(request.answeredWith.filter((id) => id !== request.requestId));
  return [...others].map((requestId) => ({ ...request, requestId, answeredWith: [requestId] }));
}

/**
 * Decides which uncertain requests were lost. The others have to end like any request. Calls to lost requests may be
 * refused.
 * @param journals by request id
 */
export function withoutLost(
  { accepted, refused, uncertain }: UncertainLoad,
  journals: ReadonlyMap<string, unknown>,
): CheckedLoad {
  const lost = new Set(uncertain.map(({ requestId }) => requestId).filter((id) => !journals.has(id)));
  return {
    accepted: [...accepted, ...uncertain.filter(({ requestId }) => !lost.has(requestId))],
    refused: refused.filter((message) => [...lost].every((requestId) => !message.includes(requestId))),
    lost,
  };
}
