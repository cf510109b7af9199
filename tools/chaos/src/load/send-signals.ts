import type { Gateway } from '../system/gateway.ts';

const CONCURRENCY = 24;
/** Accepted; the request has ended; the quota is exceeded; a part of the system is unavailable. */
const PERMITTED: ReadonlySet<number> = new Set([202, 409, 429, 503]);

/** Sends signals as fast as possible, without regard to refusals. A call without a response is not repeated. */
export async function sendSignals(gateway: Gateway, requestId: string, signals: number): Promise<void> {
  let sent = 0;
  const sendNext = async (): Promise<void> => {
    while (sent < signals) {
      sent += 1;
      const response = await gateway
        .post(`/requests/${requestId}/signals`, { name: 'flood', payload: sent })
        .catch(() => undefined);
      if (response && !PERMITTED.has(response.status))
        throw new Error(`a signal to ${requestId}: ${response.status} ${JSON.stringify(response.body)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
}
