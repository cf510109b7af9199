import type { ListedEvent } from '../client/listed-events.ts';

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
 * From the first cause to the event that is asked about, by `reins-causation`. The chain goes on over messages that the log does not
 * hold: the id of an answer begins with the id of the event that it answers (`<event id>.<type>`), and the id of a timer says what it
 * is a deadline of.
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
    const message: Message = answerOf(byId, cause) ?? timerOf(events, chain, cause) ?? { says: cause };
    chain.push({ kind: 'message', id: cause, says: message.says });
    event = message.origin;
  }
  return chain.reverse();
}

/** What a message says, and the event that it goes back to. */
interface Message {
  readonly says: string;
  readonly origin?: ListedEvent | undefined;
}

/** An answer goes back to the event whose id, dot by dot, is the longest beginning of its own. */
function answerOf(byId: ReadonlyMap<string, ListedEvent>, messageId: string): Message | undefined {
  for (let end = messageId.lastIndexOf('.'); end > 0; end = messageId.lastIndexOf('.', end - 1)) {
    const origin = byId.get(messageId.slice(0, end));
    if (origin) return { says: messageId.slice(end + 1), origin };
  }
  return undefined;
}

/** `<run>.<effect>.<timer>.<attempt>.<when>`: the id of a timer that was due. */
const TIMER = /^([^.]+)\.([^.]+)\.(wake|expiry|start|run|grace)\.(\d+)\./;
/** From then on time counts: the work was asked for, somebody began it, or the run waits for it. */
const SETS_TIMER = /^runtime\..+\.(requested|started|waiting)$/;

/** A timer goes back to the last event before its consequence that made its effect wait. What cancels a run is no event. */
function timerOf(events: readonly ListedEvent[], chain: readonly Link[], messageId: string): Message | undefined {
  const [, , effectId, timer, attempt] = TIMER.exec(messageId) ?? [];
  if (timer === undefined) return undefined;
  const says = `timer.due ${timer}`;
  const consequence = chain.at(-1);
  if (timer === 'grace' || consequence?.kind !== 'event') return { says };
  const isOf = ({ type, body }: ListedEvent): boolean =>
    SETS_TIMER.test(type) && body.effectId === effectId && (body.attempt ?? Number(attempt)) === Number(attempt);
  return { says, origin: events.slice(0, events.indexOf(consequence.event)).findLast(isOf) };
}
