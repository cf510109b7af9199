import type { AnyEvent, JsonObject } from '@reins/contracts';
import { type OpenWait, waitsAfter } from '@reins/store';
import type { ListedEvent } from '../client/listed-events.ts';

/** A link of a causal chain: an event of the log, or an inbox message of which only the id is known. */
export type Link =
  | { readonly kind: 'event'; readonly event: ListedEvent }
  | { readonly kind: 'message'; readonly id: string; readonly text: string };

/**
 * The event to explain by default: the end of the run, else the latest thing that it waits for, else the last event. What
 * a running stage waits for follows the chain.
 */
export function defaultTarget(events: readonly ListedEvent[]): ListedEvent | undefined {
  return (
    events.findLast(({ type }) => ENDED.has(type)) ??
    latestWait(events) ??
    events.findLast(({ type }) => type !== 'runtime.stage.progress')
  );
}

const ENDED: ReadonlySet<string> = new Set([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

function latestWait(events: readonly ListedEvent[]): ListedEvent | undefined {
  let waits: readonly OpenWait[] = [];
  for (const { type, body, time } of events) waits = waitsAfter(waits, { ...body, type } as unknown as AnyEvent, time);
  const last = waits.at(-1);
  const type = last?.reason === 'task' ? 'runtime.task.requested' : 'runtime.request.waiting';
  return last && events.findLast((event) => event.type === type && event.body.effectId === last.effectId);
}

/**
 * Returns the chain from the first cause to `target`, following `reins-causation`. The log does not hold inbox messages, so their causes
 * come from other data. The id of an answer starts with the id of the event that it answers (`<event id>.<type>`). The id of a timer names
 * its effect. The cause of a command, or of the end of a child run, comes from the events that follow it. An event without a message
 * (local steps, a replayed process) follows from the previous event of the run.
 */
export function causalChain(events: readonly ListedEvent[], target: ListedEvent): Link[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const seen = new Set<string>();
  const chain: Link[] = [];
  let event: ListedEvent | undefined = target;
  while (event && !seen.has(event.id)) {
    seen.add(event.id);
    chain.push({ kind: 'event', event });
    const cause: string | undefined = event.causation;
    const known: ListedEvent | undefined = cause === undefined ? previousEvent(events, event) : byId.get(cause);
    if (known || cause === undefined) {
      event = known;
      continue;
    }
    const message: Message = answerOf(byId, cause) ??
      timerOf(events, chain, cause) ?? { text: messageText(cause), origin: commandOrigin(events, cause) };
    chain.push({ kind: 'message', id: cause, text: message.text });
    event = message.origin;
  }
  return chain.reverse();
}

/** The text of a message, and the event that caused it. */
interface Message {
  readonly text: string;
  readonly origin?: ListedEvent | undefined;
}

/** The cause of an answer is the event whose id is the longest dot-separated prefix of the answer's id. */
function answerOf(byId: ReadonlyMap<string, ListedEvent>, messageId: string): Message | undefined {
  for (let end = messageId.lastIndexOf('.'); end > 0; end = messageId.lastIndexOf('.', end - 1)) {
    const origin = byId.get(messageId.slice(0, end));
    if (origin) return { text: messageId.slice(end + 1), origin };
  }
  return undefined;
}

/** The id of a due timer: `<run>.<effect>.<timer>.<attempt>.<when>`. */
const TIMER = /^([^.]+)\.([^.]+)\.(wake|expiry|start|run|grace)\.(\d+)\./;
/** Events that request or start work, or start a wait. They also start the timers of the effect. */
const REQUESTED = /^runtime\..+\.(requested|started|waiting)$/;

/** The cause of a timer is the last event before its consequence that started the timer. A grace timer has no event as its cause. */
function timerOf(events: readonly ListedEvent[], chain: readonly Link[], messageId: string): Message | undefined {
  const [, , effectId, timer, attempt] = TIMER.exec(messageId) ?? [];
  if (timer === undefined) return undefined;
  const text = `timer.due ${timer}`;
  const consequence = chain.at(-1);
  if (timer === 'grace' || consequence?.kind !== 'event') return { text };
  const isOf = ({ type, body }: ListedEvent): boolean =>
    REQUESTED.test(type) && body.effectId === effectId && (body.attempt ?? Number(attempt)) === Number(attempt);
  return { text, origin: events.slice(0, events.indexOf(consequence.event)).findLast(isOf) };
}

/** The last fact before the journal entry of this event. Skips directives, because a fact of the same entry says more. */
function previousEvent(events: readonly ListedEvent[], { version }: ListedEvent): ListedEvent | undefined {
  if (version === undefined) return undefined;
  return events.findLast((one) => (one.version ?? version) < version && one.type !== 'control.directive.emitted');
}

/** The latest thing that a run waited for before its end. */
export const lastWait = (events: readonly ListedEvent[]): ListedEvent | undefined => {
  const end = events.findIndex(({ type }) => ENDED.has(type));
  return latestWait(end < 0 ? events : events.slice(0, end));
};

const lastFact = (events: readonly ListedEvent[]): ListedEvent | undefined =>
  events.findLast(({ type, version }) => version !== undefined && type !== 'control.directive.emitted');

/** The id of a command: `<run>.<type>.<hash>`. */
const COMMAND = /^[^.]+\.(command\.[a-z.]+)\.[^.]+$/;
/** Commands of an operator for the whole run, which no event of the run caused. */
const OF_OPERATOR: ReadonlySet<string> = new Set(['command.run.cancel', 'command.run.halt', 'command.run.pause']);
/** Events that end an effect or a wait, and the start of a child run, which answers its request. */
const ANSWERED = /\.(completed|failed|cancelled|resumed)$|^runtime\.child\.started$/;

const messageText = (messageId: string): string => COMMAND.exec(messageId)?.[1] ?? messageId;

/**
 * The last event that requested or awaited what the command brought. An operator who ends or pauses a run interrupts what
 * it waited for, or its last work. Without such an event the command is a first cause.
 */
function commandOrigin(events: readonly ListedEvent[], messageId: string): ListedEvent | undefined {
  const earlier = events.slice(
    0,
    Math.max(
      0,
      events.findIndex(({ causation }) => causation === messageId),
    ),
  );
  if (OF_OPERATOR.has(messageText(messageId))) return latestWait(earlier) ?? lastFact(earlier);
  for (const { type, causation, body } of events) {
    if (causation !== messageId || !ANSWERED.test(type)) continue;
    const isRequest = (one: ListedEvent): boolean => REQUESTED.test(one.type) && isAbout(one.body, body);
    const origin = earlier.findLast(isRequest);
    if (origin) return origin;
  }
  return undefined;
}

/** Whether both events concern the same effect. A wait for an operator names an effect, but resuming concerns the whole run. */
const isAbout = (request: JsonObject, { effectId, requestId }: JsonObject): boolean =>
  effectId !== undefined &&
  (request.effectId === effectId || (request.reason === 'operator' && effectId === requestId));
