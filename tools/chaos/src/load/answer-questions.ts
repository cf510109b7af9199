import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

const POLL_MS = 500;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** A request, and the answer to all its questions. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly answer: string;
}

/** Answers questions until the request has ended or the signal aborts. A lost executor may ask again. */
export async function answerQuestions(
  gateway: Gateway,
  { requestId, answer }: AnsweredRequest,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { response: view } = await retryUntilAnswered(() => gateway.get(`/requests/${requestId}`));
    if (ENDED.has(textField(view, 'status'))) return;
    const effectId = questionOf(view.body);
    const key = randomUUID();
    const path = `/requests/${requestId}/answers`;
    if (effectId) await retryUntilAnswered(() => gateway.post(path, { effectId, answer }, key));
    await sleep(POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** The effect whose question a request waits for; undefined if it waits for none. */
export function questionOf(body: unknown): string | undefined {
  const waiting = isObject(body) ? body.waiting : undefined;
  return isObject(waiting) && waiting.reason === 'user' && typeof waiting.effectId === 'string'
    ? waiting.effectId
    : undefined;
}
