import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '@reins/contracts';
import { type Gateway, type HttpResponse, textField } from '../system/gateway.ts';
import { type Acknowledgements, answerTo, endOf, type Question } from './acknowledgements.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

const POLL_MS = 500;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** A request, and the answer to all its questions. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly answer: string;
}

/**
 * Answers questions until the request has ended or the signal aborts. A lost executor may ask again. An acknowledged
 * answer is not repeated: if it has no effect, the request stays open.
 */
export async function answerQuestions(
  gateway: Gateway,
  { requestId, answer }: AnsweredRequest,
  acknowledged: Acknowledgements,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const view = await retryUntilAnswered(() => gateway.get(`/requests/${requestId}`));
    if (ENDED.has(textField(view.response, 'status'))) return acknowledged.add(endOf(requestId), view);
    const question = questionOf(view.response.body);
    if (question && !acknowledged.has(answerTo(requestId, question))) {
      const key = randomUUID();
      const path = `/requests/${requestId}/answers`;
      const answered = await retryUntilAnswered(() => gateway.post(path, { ...question, answer }, key));
      if (isAnswered(answered.response)) acknowledged.add(answerTo(requestId, question), answered);
    }
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** Whether the answer is stored, and the request waited for it. */
export const isAnswered = (response: HttpResponse): boolean =>
  response.status === 202 && textField(response, 'status') === 'answered';

/** The question that a request waits for; undefined if it waits for none. */
export function questionOf(body: unknown): Question | undefined {
  const waiting = isObject(body) ? body.waiting : undefined;
  if (!isObject(waiting) || waiting.reason !== 'user' || typeof waiting.effectId !== 'string') return undefined;
  const { effectId, questionNumber } = waiting;
  return typeof questionNumber === 'number' ? { effectId, questionNumber } : { effectId };
}
