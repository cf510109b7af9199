import type { Problem } from '@reins/contracts';
import { codeOfStatus } from '../../execution/model-status.ts';
import type { LastMessage } from './transcript.ts';

const STATUS = /^(\d{3})\b/;
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
  const status = Number(STATUS.exec(errorMessage)?.[1] ?? 0);
  const message = `the model call failed: ${errorMessage}`;
  if (status >= 400 && status < 600) return { code: codeOfStatus(status), message };
  return { code: CUT.test(errorMessage) ? 'model_answer_cut' : 'model_unavailable', message };
}
