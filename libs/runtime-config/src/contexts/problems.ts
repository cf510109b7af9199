import type { Problem } from '@reins/contracts';

/** The warning for a part of a request's context that does not have the documented shape. That part is ignored. */
export function contextInvalid(path: string, message: string): Problem {
  return {
    code: 'context_invalid',
    message,
    path,
    hint: 'Correct the form of this context item; the request continues without it.',
  };
}
