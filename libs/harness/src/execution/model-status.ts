import type { ErrorCode } from '@reins/contracts';

/** Maps the HTTP status of a model endpoint to an error code. Error types differ between gateways. */
export function codeOfStatus(status: number): ErrorCode {
  if (status === 401 || status === 403) return 'model_unauthorized';
  if (status === 429) return 'model_rate_limited';
  if (status === 408 || status >= 500) return 'model_unavailable';
  return 'model_call_refused';
}
