import type { ErrorCode } from './codes.ts';

/** One problem, in the form that every component reports it. */
export interface Problem {
  readonly code: ErrorCode;
  /** Describes what is wrong. Never contains a secret. */
  readonly message: string;
  /** Where: a field path (`pipeline.stages[0]`), a file, a subject. */
  readonly path?: string;
  /** What to do about it. */
  readonly hint?: string;
}
