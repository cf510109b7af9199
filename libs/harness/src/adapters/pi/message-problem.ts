import type { Problem } from '@reins/contracts';
import { modelFailure } from '../../execution/model-failure.ts';
import { codeOfStatus } from '../../execution/model-status.ts';
import type { LastMessage } from './transcript.ts';

/** pi prints the status and the body of an error response, or that there is no body. */
const RESPONSE = /^(\d{3})\b:?\s*(?:status code \(no body\)|([\s\S]*))$/;
const CUT = /terminated|ended without|premature|socket|ECONNRESET/i;

/** The problem with how the model's last message ended; undefined when the message is complete. */
export function messageProblem(last: LastMessage | undefined): Problem | undefined {
  if (!last) return { code: 'harness_protocol_invalid', message: 'pi finished without a message from the model' };
  const { stopReason, errorMessage } = last;
  if (stopReason === 'stop') return undefined;
  if (stopReason === 'length')
    return { code: 'model_call_refused', message: 'the answer exceeds the output limit of the model' };
  if (stopReason !== 'error')
    return { code: 'model_answer_invalid', message: `the model stopped with the reason ${JSON.stringify(stopReason)}` };
  const [, digits, body = ''] = RESPONSE.exec(errorMessage) ?? [];
  const status = Number(digits ?? 0);
  if (status >= 400 && status < 600) return { code: codeOfStatus(status), message: modelFailure(status, body) };
  const message = `the model call failed: ${errorMessage}`;
  return { code: CUT.test(errorMessage) ? 'model_answer_cut' : 'model_unavailable', message };
}
