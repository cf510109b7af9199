import type { Evidence } from '../evidence/evidence.ts';
import type { AcceptedRequest, LoadResult } from '../load/load.ts';

/** A promise that was not kept. */
export interface Violation {
  /** The name of the check. */
  readonly check: string;
  readonly requestId?: string;
  readonly message: string;
}

/** What a check is given: what was submitted, and what is seen when everything is at rest. */
export interface Case extends LoadResult {
  readonly evidence: Evidence;
}

/** A check finds what is wrong; it is pure, and total: evidence of any shape leads to findings, not to an exception. */
export type Check = (about: Case) => Finding[];

export type Finding = Omit<Violation, 'check'>;

export function about(request: Pick<AcceptedRequest, 'requestId'> | string, message: string): Finding {
  return { requestId: typeof request === 'string' ? request : request.requestId, message };
}

/** Values by key, in the order in which the keys first come. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}
