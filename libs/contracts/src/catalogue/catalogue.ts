import { type Problem } from '../errors/problem.ts';
import { ReinsError } from '../errors/reins-error.ts';
import { ENTRIES, EVENTS } from '../generated/catalogue.ts';
import type { EntryData, EventBodies } from '../generated/types.ts';
import { isObject } from '../validation/checks.ts';
import type { Channel } from './channel.ts';

/** A type of the closed catalogue. An unknown type does not compile, and `isEventType` rejects it at run time. */
export type EventType = keyof EventBodies;
export type EntryType = keyof EntryData;

/** The body of any event, command or inbox message, discriminated by `type`. */
export type AnyEvent = EventBodies[EventType];
export type EventOf<T extends EventType> = EventBodies[T];

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];
export const ENTRY_TYPES = Object.keys(ENTRIES) as readonly EntryType[];

export function isEventType(value: unknown): value is EventType {
  return typeof value === 'string' && Object.hasOwn(EVENTS, value);
}

function isEntryType(value: unknown): value is EntryType {
  return typeof value === 'string' && Object.hasOwn(ENTRIES, value);
}

export function channelOf(type: EventType): Channel {
  return EVENTS[type].channel;
}

/** Whether an executor may emit the type: a signal or a delta, never a fact. */
function isSignalType(value: unknown): value is EventType {
  return isEventType(value) && SIGNALS.has(EVENTS[value].channel);
}

const SIGNALS: ReadonlySet<Channel> = new Set(['signal', 'delta']);

/** The type at the start of an event's subject: the phase of a signal, otherwise the type of the body. */
export function subjectTypeOf(body: AnyEvent): EventType {
  if (body.type !== 'runtime.adapter.event') return body.type;
  const { phase } = body.event;
  return isSignalType(phase) ? phase : body.type;
}

/** Validates an event body. Returns all problems; an empty list means valid. */
export function problemsOfEvent(body: unknown): Problem[] {
  if (!isObject(body)) return [{ code: 'message_invalid', message: 'the message must be a JSON object', path: '' }];
  if (!isEventType(body.type)) {
    return [{ code: 'event_type_unknown', message: `${JSON.stringify(body.type)} is not an event type`, path: 'type' }];
  }
  const out: Problem[] = [];
  EVENTS[body.type].check(body, '', out);
  return out.map((problem) => ({ ...problem, path: problem.path?.replace(/^\./, '') ?? '' }));
}

/**
 * Parses and validates the event in a message body.
 * @throws ReinsError `message_invalid` or `event_type_unknown`, with all problems of the body
 */
export function parseEvent(bytes: Uint8Array): AnyEvent {
  const body = parseJson(bytes);
  const problems = problemsOfEvent(body);
  if (problems.length > 0) throw new ReinsError(problems);
  return body as AnyEvent;
}

/** @throws ReinsError `message_invalid` */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw new ReinsError({ code: 'message_invalid', message: 'the message is not UTF-8 JSON', path: '' }, { cause });
  }
}

/** Validates the data of a journal entry. Returns all problems. */
export function problemsOfEntry(type: string, data: unknown): Problem[] {
  if (!isEntryType(type))
    return [{ code: 'message_invalid', message: `${JSON.stringify(type)} is not an entry type`, path: 'type' }];
  const out: Problem[] = [];
  ENTRIES[type](data, 'data', out);
  return out;
}

const decoder = new TextDecoder('utf-8', { fatal: true });
