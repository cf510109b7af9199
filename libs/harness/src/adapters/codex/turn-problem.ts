import type { JsonObject, JsonValue, Problem } from '@reins/contracts';
import { objectOf, textOf } from '../../execution/json.ts';
import { modelFailure, shortened } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';

/** How Codex words an error response that it does not know: the status, the message, and details of the call. */
const UNEXPECTED = /^unexpected status \d+[^:]*: ([\s\S]*?)(?:, url: [\s\S]*)?$/;
const CUT = /^stream (?:disconnected|closed)/;

/** What the model door answers when it has no response of the provider. */
const OF_DOOR = /^the provider cannot be reached/;

/** The response status that corresponds to a Codex error without a status. */
const STATUS: Readonly<Record<string, number>> = {
  unauthorized: 401,
  usageLimitExceeded: 429,
  rateLimitExceeded: 429,
  badRequest: 400,
  contextWindowExceeded: 400,
  modelNotFound: 404,
};

/** The problem of a turn that failed. */
export function turnProblem(error: JsonObject): Problem {
  const message = textOf(error.message);
  const { name, status } = infoOf(error.codexErrorInfo);
  if (status >= 400 && status < 600) {
    const body = UNEXPECTED.exec(message)?.[1] ?? message;
    return { code: codeOfStatus(status), message: OF_DOOR.test(body) ? body : modelFailure(status, body) };
  }
  // Codex passes on the body of a refused call as the message.
  if (message.startsWith('{')) return { code: 'model_call_refused', message: modelFailure(400, message) };
  if (CUT.test(message)) return { code: 'model_answer_cut', message: `the model call failed: ${shortened(message)}` };
  const code = name === 'responseStreamDisconnected' ? 'model_answer_cut' : 'model_unavailable';
  return { code, message: `the model call failed: ${shortened(message)}` };
}

/** The kind of an error, and the status of the response if it had one. */
function infoOf(info: JsonValue | undefined): { readonly name: string; readonly status: number } {
  if (typeof info === 'string') return { name: info, status: (Object.hasOwn(STATUS, info) && STATUS[info]) || 0 };
  const [name = '', details] = Object.entries(objectOf(info))[0] ?? [];
  const { httpStatusCode } = objectOf(details);
  return { name, status: typeof httpStatusCode === 'number' ? httpStatusCode : 0 };
}
