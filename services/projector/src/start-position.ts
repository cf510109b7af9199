import type { Bus, StoredMessage, StreamPosition } from '@reins/bus';
import { defined, HEADERS } from '@reins/contracts';
import type { ProjectionPosition } from '@reins/store';

/** The stream that the read model is built from. */
export const LOG_STREAM = 'EVENTS';

/** The current state of the event log. */
export interface LogState {
  /** Name and creation time: a different stream with the same name is a different log. */
  readonly identity: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The start position of the projection and its reason. */
export interface StartPosition {
  /** Position of the last projected message. */
  readonly position: ProjectionPosition;
  readonly reason: 'first' | 'resumed' | 'trimmed' | 'replaced' | 'rewound';
}

/**
 * Decides whether a position belongs to this log. If so, projecting continues after it. If the log was replaced, it is
 * read from its start with the next generation; known events then change nothing. After a rollback, the position is
 * too far (`rewound`), and projecting continues after an earlier one.
 * @param ceIdAtPosition id of the message at the position; null = the log has no message there
 */
export function startPosition(
  log: LogState,
  position: ProjectionPosition | undefined,
  ceIdAtPosition: string | undefined | null,
): StartPosition {
  if (!position) return { position: { stream: log.identity, generation: 1, seq: 0 }, reason: 'first' };
  const restarted = { stream: log.identity, generation: position.generation + 1, seq: 0 };
  if (position.stream !== log.identity) return { position: restarted, reason: 'replaced' };
  if (position.seq > log.lastSeq) return { position, reason: 'rewound' };
  if (position.seq > 0 && ceIdAtPosition !== null && ceIdAtPosition !== position.ceId) {
    return { position, reason: 'rewound' };
  }
  return { position, reason: log.firstSeq > position.seq + 1 && position.seq > 0 ? 'trimmed' : 'resumed' };
}

export async function logState(bus: Bus): Promise<LogState> {
  const { created, state } = await bus.jsm.streams.info(LOG_STREAM);
  return { identity: `${LOG_STREAM}@${created}`, firstSeq: state.first_seq, lastSeq: state.last_seq };
}

/** A start position, and the log that it was compared with. */
export interface FoundPosition extends StartPosition {
  readonly log: LogState;
}

/** Determines the start position from the stored position and the event log. */
export async function findStartPosition(bus: Bus, position: ProjectionPosition | undefined): Promise<FoundPosition> {
  const log = await logState(bus);
  const at = position && position.seq >= log.firstSeq ? await ceIdAt(bus, position.seq) : null;
  return { ...startPosition(log, position, at), log };
}

/** The position as the reader of the log knows it. */
export const streamPositionOf = ({ stream, seq, ceId }: ProjectionPosition): StreamPosition => ({
  seq,
  created: stream.slice(stream.indexOf('@') + 1),
  ceId,
});

/** Returns the event id at a sequence; undefined if the message has none, null if there is no message. */
async function ceIdAt(bus: Bus, seq: number): Promise<string | undefined | null> {
  const message = await bus.jsm.streams.getMessage(LOG_STREAM, { seq });
  return message === null ? null : message.header.get(HEADERS.id) || undefined;
}

/** Returns the position after a message. */
export function positionAfter(
  before: ProjectionPosition,
  message: Pick<StoredMessage, 'seq' | 'header'>,
): ProjectionPosition {
  const ceId = message.header(HEADERS.id) || undefined;
  return {
    stream: before.stream,
    generation: before.generation,
    seq: message.seq,
    ...defined({ ceId }),
  };
}
