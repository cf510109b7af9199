import { setTimeout as sleep } from 'node:timers/promises';
import { ReinsError } from '@reins/contracts';
import type { HttpResponse } from '../system/gateway.ts';

const RETRY_MS = 250;
const GIVE_UP_MS = 120_000;

export interface RetriedAnswer {
  readonly response: HttpResponse;
  /** Number of attempts. */
  readonly tries: number;
  /** When the last attempt was sent, and when its response arrived, in milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receivedAt: number;
}

/**
 * Retries a call until it gets a final response: no 5xx and no 429. A client with an idempotency key does the same.
 * @throws ReinsError `service_unavailable` after two minutes
 */
export async function retryUntilAnswered(call: () => Promise<HttpResponse>): Promise<RetriedAnswer> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  let last = 'no response';
  for (let tries = 1; performance.now() < giveUpAt; tries += 1) {
    const sentAt = Date.now();
    try {
      const response = await call();
      if (response.status < 500 && response.status !== 429) return { response, tries, sentAt, receivedAt: Date.now() };
      last = `${response.status} ${JSON.stringify(response.body)}`;
    } catch (error) {
      last = String(error);
    }
    await sleep(RETRY_MS);
  }
  throw new ReinsError({ code: 'service_unavailable', message: `no response after ${GIVE_UP_MS} ms: ${last}` });
}
