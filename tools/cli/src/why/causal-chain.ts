import type { JsonObject } from '@reins/contracts';

/** An event of a run, as the gateway lists it. */
export interface ListedEvent {
  readonly seq: number;
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly causation?: string;
  readonly body: JsonObject;
}

/** A link of a causal chain: an event of the log, or a message of the inbox that is known by its id alone. */
export type Link =
  | { readonly kind: 'event'; readonly event: ListedEvent }
  | { readonly kind: 'message'; readonly id: string; readonly says: string };

/** What a run is asked about when nothing is named: how it ended, otherwise why it waits, otherwise its last event. */
export function questionOf(events: readonly ListedEvent[]): ListedEvent | undefined {
  const last = (types: readonly string[]) => events.findLast(({ type }) => types.includes(type));
  return (
    last(['runtime.request.completed', 'runtime.request.failed', 'runtime.request.cancelled']) ??
    last(['runtime.request.waiting']) ??
    events.at(-1)
  );
}

/**
 * From the first cause to the event that is asked about, by `reins-causation`. The id of an answer begins with the id of the
 * event that it answers (`<event id>.<type>`), so the chain goes on over messages that the log does not hold.
 */
export function causalChain(events: readonly ListedEvent[], asked: ListedEvent): Link[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const seen = new Set<string>();
  const chain: Link[] = [];
  let event: ListedEvent | undefined = asked;
  while (event && !seen.has(event.id)) {
    seen.add(event.id);
    chain.push({ kind: 'event', event });
    const cause: string | undefined = event.causation;
    if (cause === undefined) break;
    event = byId.get(cause);
    if (event) continue;
    const origin = answeredBy(byId, cause);
    chain.push({ kind: 'message', id: cause, says: origin ? cause.slice(origin.id.length + 1) : cause });
    event = origin;
  }
  return chain.reverse();
}

/** The event whose id, dot by dot, is the longest beginning of a message's id. */
function answeredBy(byId: ReadonlyMap<string, ListedEvent>, messageId: string): ListedEvent | undefined {
  for (let end = messageId.lastIndexOf('.'); end > 0; end = messageId.lastIndexOf('.', end - 1)) {
    const event = byId.get(messageId.slice(0, end));
    if (event) return event;
  }
  return undefined;
}
