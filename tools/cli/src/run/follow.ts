import type { JsonObject } from '@reins/contracts';
import type { GatewayClient } from '../client/gateway-client.ts';

const TERMINAL: ReadonlySet<string> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);
/** A stream that breaks is taken up again behind its last event, this often without anything new. */
const TRIES = 20;
const PAUSE_MS = 500;

/** Every event of a request until its terminal one, over broken connections. */
export async function* follow(
  client: GatewayClient,
  requestId: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject> {
  let after: string | undefined;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      for await (const { id, data } of client.events(`/requests/${requestId}/events`, after, signal)) {
        if (data === '') continue;
        after = id ?? after;
        tries = 0;
        const body = JSON.parse(data) as JsonObject;
        yield body;
        if (TERMINAL.has(String(body.type))) return;
      }
    } catch (error) {
      if (signal.aborted || tries + 1 === TRIES) throw error;
    }
    if (signal.aborted) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
