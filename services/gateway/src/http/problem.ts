import { ERROR_CODES, type Problem } from '@reins/contracts';

/** An error of the API: `application/problem+json` (RFC 9457) with the fields of the error taxonomy. */
export interface ProblemDocument {
  readonly type: string;
  /** What the code means, always the same. */
  readonly title: string;
  readonly status: number;
  readonly code: string;
  /** What is wrong this time. */
  readonly detail: string;
  readonly path?: string;
  readonly hint?: string;
  /** Everything that is wrong, the first one included. */
  readonly errors: readonly Problem[];
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Seconds after which a call may be tried again. */
export const RETRY_AFTER_SECONDS = 2;

export function problemDocument(problems: readonly Problem[]): ProblemDocument {
  const [first = UNKNOWN] = problems;
  const { status, meaning } = ERROR_CODES[first.code];
  const { code, message, path, hint } = first;
  return {
    type: `urn:reins:problem:${code}`,
    title: meaning,
    status,
    code,
    detail: message,
    ...(path !== undefined && { path }),
    ...(hint !== undefined && { hint }),
    errors: problems,
  };
}

const UNKNOWN: Problem = { code: 'internal_error', message: 'an internal error of Reins' };
