import type { Problem } from '@reins/contracts';

/** What came with a request and does not have its documented shape: it is left out, and told. */
export function contextInvalid(path: string, message: string): Problem {
  return { code: 'context_invalid', message, path, hint: 'the request runs without it; correct its shape' };
}
