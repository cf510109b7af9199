import type { ErrorCode } from '@reins/contracts';

/** What an HTTP status of a model endpoint means. Gateways do not agree on the types of their errors, so the status decides. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'model_unauthorized';
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status >= 500) return 'model_unavailable';
  return 'model_call_refused';
}
