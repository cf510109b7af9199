import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { persistently } from './persistently.ts';

const LOOK_EVERY_MS = 500;
const GIVE_UP_MS = 180_000;
const ENDED: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** A user who answers whatever a request asks, until it has ended. An executor that was lost may ask again. */
export async function answerQuestions(gateway: Gateway, requestId: string, answer: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpAt) {
    const { answer: view } = await persistently(() => gateway.get(`/requests/${requestId}`));
    if (ENDED.has(textField(view, 'status'))) return;
    const effectId = questionOf(view.body);
    const key = randomUUID();
    const path = `/requests/${requestId}/answers`;
    if (effectId) await persistently(() => gateway.post(path, { effectId, answer }, key));
    await sleep(LOOK_EVERY_MS);
  }
}

function questionOf(body: unknown): string | undefined {
  const waiting = isObject(body) ? body.waiting : undefined;
  return isObject(waiting) && waiting.reason === 'user' && typeof waiting.effectId === 'string'
    ? waiting.effectId
    : undefined;
}
