import { type ErrorCode, ReinsError } from '@reins/contracts';
import { modelFailure, shortened } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';

/** A failed model call. `retryAfterMs` is the delay that the endpoint requested before a retry. */
export class ModelError extends ReinsError {
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super({ code, message }, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error of an HTTP error response. Its status decides the code: error types differ between gateways. */
export async function errorOfResponse(response: Response): Promise<ModelError> {
  const message = modelFailure(response.status, await response.text().catch(() => ''));
  return new ModelError(codeOfStatus(response.status), message, retryAfter(response.headers));
}

/** The error of an `error` line in a stream. The line may carry a status, since the headers were already sent. */
export function errorOfLine(error: { readonly message?: unknown; readonly code?: unknown }): ModelError {
  const status = Number(error.code);
  const message = String(error.message ?? 'no reason');
  const ofStatus = status >= 400 && status < 600 ? codeOfStatus(status) : 'model_unavailable';
  const code = CUT_UPSTREAM.test(message) ? 'model_answer_cut' : ofStatus;
  return new ModelError(code, `the model endpoint aborted the answer: ${shortened(message)}`);
}

/** How gateways such as LiteLLM word a connection that their upstream has closed before its answer was complete. */
const CUT_UPSTREAM = /payload is not completed|incomplete chunked read|connection (?:was )?closed/i;

/** LiteLLM forwards the header of its upstream with a prefix. */
const RETRY_HEADERS = ['retry-after', 'llm_provider-retry-after'];

function retryAfter(headers: Headers): number | undefined {
  const value = RETRY_HEADERS.map((name) => headers.get(name)).find((text) => text !== null);
  if (value === undefined || value === null) return undefined;
  const seconds = Number(value);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
