import type { JsonObject, Problem } from '@reins/contracts';
import { numberOf, objectOf, textOf } from '../../execution/json.ts';
import { modelFailure, shortened } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';

/** The last response of the model. */
export interface ModelResponse {
  readonly status: number;
  readonly body: string;
}

const ABORTED = 'MessageAbortedError';
/** How OpenCode words a connection that the model has closed before its answer was complete. */
const CUT = /closed unexpectedly|connection reset/i;

/** The problem of an error that ended a turn; undefined when the turn was aborted. */
export function turnProblem(error: JsonObject): Problem | undefined {
  const { name } = error;
  if (name === ABORTED) return undefined;
  const data = objectOf(error.data);
  const message = textOf(data.message) || textOf(name);
  const status = numberOf(data.statusCode);
  if (status >= 400) return ofResponse({ status, body: textOf(data.responseBody) || message });
  return { code: 'model_unavailable', message: `the model call failed: ${shortened(message)}` };
}

/** The problem of a model call that OpenCode wants to make again. */
export function retryProblem(message: string, response: ModelResponse | undefined): Problem {
  if (response !== undefined && response.status >= 400) return ofResponse(response);
  const isCut = response !== undefined || CUT.test(message);
  const code = isCut ? 'model_answer_cut' : 'model_unavailable';
  return { code, message: `the model call failed: ${shortened(message)}` };
}

/** The problem of an answer that did not end as one of a model does. */
export const endProblem = (reason: string): Problem => ({
  code: 'model_answer_cut',
  message: `the answer of the model is not complete (${reason || 'no reason'})`,
});

const ofResponse = ({ status, body }: ModelResponse): Problem => ({
  code: codeOfStatus(status),
  message: modelFailure(status, body),
});
