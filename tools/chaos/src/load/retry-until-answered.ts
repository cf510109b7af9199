import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import type { Answer } from '../system/gateway.ts';

const AGAIN_MS = 250;
const GIVE_UP_MS = 120_000;

export interface RetriedAnswer {
  readonly answer: Answer;
  /** How often it was tried. */
  readonly tries: number;
}

/**
 * Makes a call again until it is answered with something that trying again would not change: what a client does that knows its
 * idempotency key.
 * @throws ReinsError `service_unavailable` when that takes minutes
 */
export async function retryUntilAnswered(call: () => Promise<Answer>): Promise<RetriedAnswer> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let last = 'nobody answered';
  for (let tries = 1; performance.now() < giveUpAt; tries += 1) {
    try {
      const answer = await call();
      if (answer.status < 500 && answer.status !== 429) return { answer, tries };
      last = `${answer.status} ${JSON.stringify(answer.body)}`;
    } catch (error) {
      last = String(error);
    }
    await sleep(AGAIN_MS);
  }
  throw new ReinsError({ code: 'service_unavailable', message: `no answer after ${GIVE_UP_MS} ms: ${last}` });
}
