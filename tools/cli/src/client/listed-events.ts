import type { JsonObject } from '@reins/contracts';
import type { GatewayClient } from './gateway-client.ts';

/** An event in the response of `GET /requests/{id}/events`. */
export interface ListedEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly time: string;
  /** The version of the journal entry that caused the fact. */
  readonly version?: number;
  readonly causation?: string;
  readonly body: JsonObject;
}

interface EventPage {
  readonly events: readonly ListedEvent[];
  readonly next: number;
  readonly more: boolean;
}

/** Yields the current events of a request in log order. @throws ReinsError of the gateway */
export async function* listedEvents(client: GatewayClient, requestId: string): AsyncGenerator<ListedEvent> {
  for (let after = 0; ; ) {
    const page = await client.get<EventPage>(
      `/requests/${encodeURIComponent(requestId)}/events?limit=1000&after=${after}`,
    );
    yield* page.events;
    if (!page.more) return;
    after = page.next;
  }
}
