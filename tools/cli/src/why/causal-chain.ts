import type { JsonObject } from '@reins/contracts';
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
 * hold: the id of an answer begins with the id of the event that it answers (`<event id>.<type>`), the id of a timer says what it
 * is a deadline of, and what a command or the end of a run inside the run was for, its consequences say. What follows from no message
 * (local steps, a process that was replayed) follows from what the run did before.
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
    const known: ListedEvent | undefined = cause === undefined ? before(events, event) : byId.get(cause);
    if (known || cause === undefined) {
      event = known;
      continue;
    }
    const message: Message = answerOf(byId, cause) ??
      timerOf(events, chain, cause) ?? { says: saysOf(cause), origin: askedFor(events, cause) };
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
const ASKS = /^runtime\..+\.(requested|started|waiting)$/;

/** A timer goes back to the last event before its consequence that made its effect wait. What cancels a run is no event. */
function timerOf(events: readonly ListedEvent[], chain: readonly Link[], messageId: string): Message | undefined {
  const [, , effectId, timer, attempt] = TIMER.exec(messageId) ?? [];
  if (timer === undefined) return undefined;
  const says = `timer.due ${timer}`;
  const consequence = chain.at(-1);
  if (timer === 'grace' || consequence?.kind !== 'event') return { says };
  const isOf = ({ type, body }: ListedEvent): boolean =>
    ASKS.test(type) && body.effectId === effectId && (body.attempt ?? Number(attempt)) === Number(attempt);
  return { says, origin: events.slice(0, events.indexOf(consequence.event)).findLast(isOf) };
}

/** What the run told last before the journal entry of this event, if that is known. A directive stands beside a fact that says more. */
function before(events: readonly ListedEvent[], { version }: ListedEvent): ListedEvent | undefined {
  if (version === undefined) return undefined;
  return events.findLast((one) => (one.version ?? version) < version && one.type !== 'control.directive.emitted');
}

/** `<run>.<type>.<hash>`: the id of a command. */
const COMMAND = /^[^.]+\.(command\.[a-z.]+)\.[^.]+$/;
/** These end whatever is under way: nothing of it had asked for them. */
const ENDS_ALL: ReadonlySet<string> = new Set(['command.run.cancel', 'command.run.halt']);
/** An effect is over, or the run does not wait for it any more. */
const ANSWERED = /\.(completed|failed|cancelled|resumed)$/;

const saysOf = (messageId: string): string => COMMAND.exec(messageId)?.[1] ?? messageId;

/** The last event before its consequences by which somebody was asked for what it brought. What nobody asked for is a first cause. */
function askedFor(events: readonly ListedEvent[], messageId: string): ListedEvent | undefined {
  if (ENDS_ALL.has(saysOf(messageId))) return undefined;
  const earlier = events.slice(
    0,
    Math.max(
      0,
      events.findIndex(({ causation }) => causation === messageId),
    ),
  );
  for (const { type, causation, body } of events) {
    if (causation !== messageId || !ANSWERED.test(type)) continue;
    const isAsking = (one: ListedEvent): boolean => ASKS.test(one.type) && isAbout(one.body, body);
    const origin = earlier.findLast(isAsking);
    if (origin) return origin;
  }
  return undefined;
}

/** The same effect; an operator is told which one a process broke at, and lets the run as a whole go on. */
const isAbout = (asked: JsonObject, { effectId, requestId }: JsonObject): boolean =>
  effectId !== undefined && (asked.effectId === effectId || (asked.reason === 'operator' && effectId === requestId));
