import type { StoredMessage } from '@reins/bus';
import { type EventType, isObject, parseEventSubject, parseJson } from '@reins/contracts';
import { eventTime, streamViewOf } from '@reins/store';
import { eventIdOf, formatEventId } from './event-id.ts';

/** An event, serialized for the clients that watch its run. */
export interface EventFrame {
  readonly requestId: string;
  readonly type: EventType;
  /** The log sequence; undefined for deltas, which are not in the log. */
  readonly seq: number | undefined;
  /** The serialized server-sent event. */
  readonly frame: Buffer;
  /** The same event under the name of its stream view, if it has one. */
  readonly view: Buffer | undefined;
  /** `terminal`: the run has ended. `last`: the final event of the run. */
  readonly ends: 'terminal' | 'last' | undefined;
  /** For a narration: whether it is the last one of the run, that of its terminal event. */
  readonly narrates: 'progress' | 'end' | undefined;
}

const TERMINAL: ReadonlySet<EventType> = new Set<EventType>([
  'runtime.request.completed',
  'runtime.request.failed',
  'runtime.request.cancelled',
]);

/**
 * Serializes a message; undefined if it is not an event of a run.
 * @param created creation time of the log; undefined for a delta, which is not in the log
 */
export function toEventFrame(message: StoredMessage, created: string | undefined): EventFrame | undefined {
  const address = parseEventSubject(message.subject);
  if (!address) return undefined;
  const { type, requestId } = address;
  const seq = created === undefined ? undefined : message.seq;
  const logged = created === undefined ? undefined : loggedAs(created, message);
  const view = streamViewOf(type);
  return {
    requestId,
    type,
    seq,
    frame: frame(type, message.data, logged),
    view: view && frame(view.event, message.data, logged),
    ends: endOf(type, message.data),
    narrates: type === 'runtime.progress.narration' ? narratedPart(message.data) : undefined,
  };
}

/** Where and when the log has an event. */
interface Logged {
  readonly id: string;
  readonly time: string;
}

const loggedAs = (created: string, message: StoredMessage): Logged => ({
  id: formatEventId(eventIdOf(created, message)),
  time: eventTime(message),
});

/**
 * Formats a server-sent event. Clients send its `id` back as `Last-Event-ID`; deltas have no id, so clients keep the
 * previous one. The field `time` is not part of the standard: clients that do not know it must ignore it.
 */
function frame(event: string, data: Uint8Array, logged: Logged | undefined): Buffer {
  const id = logged === undefined ? '' : `id: ${logged.id}\ntime: ${logged.time}\n`;
  const body = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const line = body.includes(LINE_FEED) || body.includes(CARRIAGE_RETURN) ? oneLine(body) : body;
  return Buffer.concat([Buffer.from(`${id}event: ${event}\ndata: `), line, END_OF_FRAME]);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const END_OF_FRAME = Buffer.from('\n\n');

/** Replaces line breaks by spaces: in JSON they occur only between tokens. */
const oneLine = (body: Buffer): Buffer => Buffer.from(body.toString('utf8').replaceAll(/[\r\n]+/g, ' '));

function endOf(type: EventType, data: Uint8Array): EventFrame['ends'] {
  if (TERMINAL.has(type)) return 'terminal';
  return type === 'control.directive.emitted' && endsRun(data) ? 'last' : undefined;
}

/** The directive that ends a run is its final event. */
function endsRun(data: Uint8Array): boolean {
  try {
    const body = parseJson(data);
    return isObject(body) && body.isTerminal === true && body.targetType === 'execution';
  } catch {
    return false;
  }
}

/** Whether a narration describes the end of its run. */
function narratedPart(data: Uint8Array): 'progress' | 'end' {
  try {
    const body = parseJson(data);
    const sources = isObject(body) && Array.isArray(body.sourceEventTypes) ? body.sourceEventTypes : [];
    return sources.some((type) => TERMINAL.has(type as EventType)) ? 'end' : 'progress';
  } catch {
    return 'progress';
  }
}

const DATA = Buffer.from('\ndata: ');

/** The body of an event, without a copy: the data of its server-sent event. */
export function bodyOf({ frame }: EventFrame): Buffer {
  return frame.subarray(frame.indexOf(DATA) + DATA.length, -END_OF_FRAME.length);
}

export const HEARTBEAT = Buffer.from(': heartbeat\n\n');
