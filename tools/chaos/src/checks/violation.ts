import type { Evidence } from '../evidence/evidence.ts';
import type { AcceptedRequest } from '../load/load.ts';
import type { CheckedLoad } from '../load/lost-requests.ts';

/** A violated guarantee. */
export interface Violation {
  /** The name of the check. */
  readonly check: string;
  readonly requestId?: string;
  readonly message: string;
}

/** The input of a check: what was submitted, and what is visible when the system is quiescent. */
export interface Case extends CheckedLoad {
  readonly evidence: Evidence;
  /** Ids of requests that an operator resumed because they were damaged. Default: none. */
  readonly damaged?: ReadonlySet<string>;
}

/** A pure function that reports violations. It must not throw, whatever the evidence is. */
export type Check = (about: Case) => Finding[];

export type Finding = Omit<Violation, 'check'>;

export function about(request: Pick<AcceptedRequest, 'requestId'> | string, message: string): Finding {
  return { requestId: typeof request === 'string' ? request : request.requestId, message };
}

/** Groups values by key, in order of first occurrence. */
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
