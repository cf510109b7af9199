import type { Bus } from '@reins/bus';
import { parseEventSubject } from '@reins/contracts';
import type { RequestId } from './request-pool.ts';

/** The events after which a request has no more stages. */
const ENDS: ReadonlySet<string | undefined> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

/**
 * Calls back when a request has ended. A plain subscription may miss the event; then an idle limit ends what waits.
 * @returns a function that ends the watch
 */
export function watchRequestEnd(bus: Bus, { workspaceId, requestId }: RequestId, ended: () => void): () => void {
  if (bus.nc.isClosed()) return () => undefined;
  const callback = (error: unknown, message?: { readonly subject: string }): void => {
    if (error) bus.log.warn({ requestId, error: String(error) }, 'subscription to the end of a request refused');
    else if (message && ENDS.has(parseEventSubject(message.subject)?.type)) ended();
  };
  const subscription = bus.nc.subscribe(`runtime.request.*.${workspaceId}.${requestId}`, { callback });
  return () => subscription.unsubscribe();
}
