import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

const LOOK_EVERY_MS = 500;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** What a user says to whatever a request asks. */
export interface QuestionAnswerer {
  readonly requestId: string;
  readonly answer: string;
}

/** A user who answers until the request has ended, or is called away. An executor that was lost may ask again. */
export async function answerQuestions(
  gateway: Gateway,
  { requestId, answer }: QuestionAnswerer,
  away: AbortSignal,
): Promise<void> {
  while (!away.aborted) {
    const { answer: view } = await retryUntilAnswered(() => gateway.get(`/requests/${requestId}`));
    if (ENDED.has(textField(view, 'status'))) return;
    const effectId = questionOf(view.body);
    const key = randomUUID();
    const path = `/requests/${requestId}/answers`;
    if (effectId) await retryUntilAnswered(() => gateway.post(path, { effectId, answer }, key));
    await sleep(LOOK_EVERY_MS, undefined, { signal: away }).catch(() => {});
  }
}

function questionOf(body: unknown): string | undefined {
  const waiting = isObject(body) ? body.waiting : undefined;
  return isObject(waiting) && waiting.reason === 'user' && typeof waiting.effectId === 'string'
    ? waiting.effectId
    : undefined;
}
