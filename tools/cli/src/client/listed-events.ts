import type { JsonObject } from '@reins/contracts';
import type { GatewayClient } from './gateway-client.ts';

/** An event of a run, as the gateway lists it. */
export interface ListedEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly time: string;
  /** Of facts: the journal entry that it follows from. */
  readonly version?: number;
  readonly causation?: string;
  readonly body: JsonObject;
}

interface EventPage {
  readonly events: readonly ListedEvent[];
  readonly next: number;
  readonly more: boolean;
}

/** Every event that a request has now, in the order of the log. @throws ReinsError what the gateway answers */
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
