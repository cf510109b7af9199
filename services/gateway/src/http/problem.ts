import { defined, ERROR_CODES, type Problem } from '@reins/contracts';

/** An error of the API: `application/problem+json` (RFC 9457) with the fields of a Reins problem. */
export interface ProblemDocument {
  readonly type: string;
  /** The meaning of the code; constant for each code. */
  readonly title: string;
  readonly status: number;
  readonly code: string;
  /** The message of this error. */
  readonly detail: string;
  readonly path?: string;
  readonly hint?: string;
  /** All problems, including the first. */
  readonly errors: readonly Problem[];
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The value of `Retry-After` in seconds, if the time is not known. */
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
    ...defined({ path, hint }),
    errors: problems,
  };
}

const UNKNOWN: Problem = { code: 'internal_error', message: 'internal error' };
