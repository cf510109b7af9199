import { type Blobs, type Bus, inline, lastMessageOn, leaderOf, readSubject, type StoredMessage } from '@reins/bus';
import {
  channelOf,
  EVENT_TYPES,
  type EventType,
  eventFilter,
  eventSubject,
  parseEvent,
  ReinsError,
} from '@reins/contracts';
import { type LogItem, readLogMessage } from '@reins/store';
import { type EventId, eventIdOf, logHash } from './event-id.ts';

const LOG_STREAM = 'EVENTS';
const STAGE_REQUESTED = 'runtime.stage.requested';
const CHILD_STARTED = 'runtime.child.started';

/** The ids of a run that are part of its subjects. */
export interface RunSubjects {
  readonly workspaceId: string;
  readonly requestId: string;
}

export interface LogPage {
  readonly items: readonly StoredMessage[];
  /** Creation time of the log. */
  readonly created: string;
  /** The log was read up to this sequence; the page misses no event of the run before it. */
  readonly upTo: number;
  /** There are more events after the page. */
  readonly more: boolean;
}

/** Reads the events of a run directly from the log, without Postgres. */
export class RunLog {
  readonly #bus: Bus;
  readonly #blobs: Blobs;

  constructor(bus: Bus, blobs: Blobs) {
    this.#bus = bus;
    this.#blobs = blobs;
  }

  /** The connection to the log. Another one may show a log that was rolled back. */
  get connection(): unknown {
    return this.#bus.nc.info;
  }

  /** The sequence of the oldest message in the log. */
  async firstSeq(): Promise<number> {
    return (await this.#bus.jsm.streams.info(LOG_STREAM)).state.first_seq;
  }

  /** The sequence of the newest message in the log. */
  async lastSeq(): Promise<number> {
    return (await this.#bus.jsm.streams.info(LOG_STREAM)).state.last_seq;
  }

  /** Whether the log still has the run's first event. */
  async hasStart({ workspaceId, requestId }: RunSubjects): Promise<boolean> {
    const subject = eventSubject({ type: 'runtime.request.started', workspaceId, requestId });
    return (await lastMessageOn(this.#bus, LOG_STREAM, subject)) !== undefined;
  }

  /**
   * Checks that the log has the event, or has removed it by its limits. A log that was replaced or rolled back does not
   * continue after it.
   * @throws ReinsError `events_gone`
   */
  async check({ seq, log, event }: EventId): Promise<void> {
    const { created, state } = await this.#bus.jsm.streams.info(LOG_STREAM);
    if (seq > state.last_seq || (log !== undefined && log !== logHash(created))) throw eventGone(seq);
    if (event === undefined || seq < state.first_seq) return;
    const found = await leaderOf(this.#bus, LOG_STREAM).atOrAfter(seq);
    if (found?.seq === seq && eventIdOf(created, found).event !== event) throw eventGone(seq);
  }

  /** Whether the log has an event of the run after a sequence. */
  async hasEvents(run: RunSubjects, afterSeq: number): Promise<boolean> {
    return (await this.page(run, afterSeq, 1)).items.length > 0;
  }

  /** The ids of a run whose workspace is not known, such as a child run; undefined if the log does not have it. */
  async subjectsOf(requestId: string): Promise<RunSubjects | undefined> {
    const filter = eventFilter({ type: 'runtime.request.started', requestId });
    const started = await lastMessageOn(this.#bus, LOG_STREAM, filter);
    return started && { requestId, workspaceId: parseEvent(started.data).workspaceId };
  }

  /** The messages of the run after a sequence, in order. The next page starts after `upTo`. */
  async page(run: RunSubjects, afterSeq: number, limit: number): Promise<LogPage> {
    const { created, state } = await this.#bus.jsm.streams.info(LOG_STREAM);
    const lists = await Promise.all(
      runFilters(run).map((filter) => this.#read(filter, afterSeq, state.last_seq, limit + 1)),
    );
    const found = lists.flat().sort((a, b) => a.seq - b.seq);
    const items = await Promise.all(found.slice(0, limit).map((message) => this.withBody(message)));
    const more = found.length > limit;
    return { items, created, more, upTo: more ? (items.at(-1)?.seq ?? afterSeq) : state.last_seq };
  }

  /** The deltas of the output that are still stored: those of the last minutes. */
  async *deltas({ workspaceId, requestId }: RunSubjects, afterSeq: number): AsyncGenerator<StoredMessage> {
    const subject = eventSubject({ type: 'agent.output.delta', workspaceId, requestId });
    const later = readSubject(this.#bus, 'DELTAS', subject, { fromSeq: afterSeq + 1 });
    for await (const message of later) yield await this.withBody(message);
  }

  /** All events of the run. */
  async items(run: RunSubjects): Promise<LogItem[]> {
    const { items } = await this.page(run, 0, Number.MAX_SAFE_INTEGER - 1);
    return items.map((message) => readLogMessage(message));
  }

  /** The events of the run and of its child runs in the order of the log: all, or those of the given types. */
  async itemsWithChildren(run: RunSubjects, types?: readonly EventType[]): Promise<LogItem[]> {
    const own = await (types ? this.itemsOf(run, [...types, CHILD_STARTED]) : this.items(run));
    const children = await Promise.all(
      childIdsIn(own).map((requestId) => this.itemsWithChildren({ ...run, requestId }, types)),
    );
    return [own, ...children].flat().sort((a, b) => seqOf(a) - seqOf(b));
  }

  /** The events of the given types after a sequence, in order. */
  async itemsOf(
    { workspaceId, requestId }: RunSubjects,
    types: readonly EventType[],
    afterSeq = 0,
  ): Promise<LogItem[]> {
    const subjects = types.map((type) => eventSubject({ type, workspaceId, requestId }));
    const lists = await Promise.all(
      subjects.map((subject) => this.#read(subject, afterSeq, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)),
    );
    const found = lists.flat().sort((a, b) => a.seq - b.seq);
    return (await Promise.all(found.map((message) => this.withBody(message)))).map((message) =>
      readLogMessage(message),
    );
  }

  /** Loads the body that the message refers to. */
  async withBody(message: StoredMessage): Promise<StoredMessage> {
    const data = await inline(this.#blobs, message.data);
    if (data === message.data) return message;
    const { subject, seq, time, msgId } = message;
    return { subject, seq, time, msgId, data, header: (name) => message.header(name) };
  }

  async #read(filter: string, afterSeq: number, upTo: number, limit: number): Promise<StoredMessage[]> {
    const found: StoredMessage[] = [];
    for await (const message of readSubject(this.#bus, LOG_STREAM, filter, { fromSeq: afterSeq + 1 })) {
      if (message.seq > upTo) break;
      found.push(message);
      if (found.length === limit) break;
    }
    return found;
  }
}

const eventGone = (seq: number): ReinsError =>
  new ReinsError({
    code: 'events_gone',
    message: `the event log does not continue after event ${seq}: it was rolled back or replaced`,
    path: 'last-event-id',
    hint: 'Read the events from the start, without Last-Event-ID.',
  });

const childIdsIn = (items: readonly LogItem[]): string[] => {
  const bodies = items.flatMap((item) => ('event' in item ? [item.event.body] : []));
  return [...new Set(bodies.flatMap((body) => (body.type === CHILD_STARTED ? [body.childRequestId] : [])))];
};

const seqOf = (item: LogItem): number => ('event' in item ? item.event.seq : item.unreadable.seq);

/** The numbers of tokens in the event types of the log. One filter for each number finds every event of a run. */
const TYPE_TOKENS = new Set(
  EVENT_TYPES.filter((type) => channelOf(type) !== 'inbox' && channelOf(type) !== 'delta').map(
    (type) => type.split('.').length,
  ),
);

function runFilters({ workspaceId, requestId }: RunSubjects): string[] {
  const byLength = [...TYPE_TOKENS].map((tokens) => `${'*.'.repeat(tokens)}${workspaceId}.${requestId}`);
  return [...byLength, `${STAGE_REQUESTED}.${workspaceId}.${requestId}.*`];
}
