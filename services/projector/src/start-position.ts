import { type Bus, type StoredMessage } from '@reins/bus';
import { HEADERS } from '@reins/contracts';
import type { Checkpoint } from '@reins/store';

/** The stream that the read model is made of. */
export const LOG_STREAM = 'EVENTS';

/** The log as it is now. */
export interface LogState {
  /** Its name and when it was created: another stream under the same name is another log. */
  readonly identity: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** Where projecting goes on, and why there. */
export interface StartPosition {
  /** Of the last message that is projected. */
  readonly checkpoint: Checkpoint;
  readonly reason: 'first' | 'resumed' | 'trimmed' | 'replaced' | 'rewound';
}

/**
 * Decides whether a checkpoint speaks of this log. If it does, projecting goes on behind it. If the log was replaced or set back, it is
 * read again from its start under the next generation; events that are known already change nothing then.
 * @param ceIdAtCheckpoint id of the message at the checkpoint's sequence; null = the log has no message there any more
 */
export function startPosition(
  log: LogState,
  checkpoint: Checkpoint | undefined,
  ceIdAtCheckpoint: string | undefined | null,
): StartPosition {
  if (!checkpoint) return { checkpoint: { stream: log.identity, generation: 1, seq: 0 }, reason: 'first' };
  const anew = { stream: log.identity, generation: checkpoint.generation + 1, seq: 0 };
  if (checkpoint.stream !== log.identity) return { checkpoint: anew, reason: 'replaced' };
  if (checkpoint.seq > log.lastSeq) return { checkpoint: anew, reason: 'rewound' };
  if (checkpoint.seq > 0 && ceIdAtCheckpoint !== null && ceIdAtCheckpoint !== checkpoint.ceId) {
    return { checkpoint: anew, reason: 'rewound' };
  }
  return { checkpoint, reason: log.firstSeq > checkpoint.seq + 1 && checkpoint.seq > 0 ? 'trimmed' : 'resumed' };
}

export async function logState(bus: Bus): Promise<LogState> {
  const { created, state } = await bus.jsm.streams.info(LOG_STREAM);
  return { identity: `${LOG_STREAM}@${created}`, firstSeq: state.first_seq, lastSeq: state.last_seq };
}

/** Compares the checkpoint with the log. */
export async function findStartPosition(bus: Bus, checkpoint: Checkpoint | undefined): Promise<StartPosition> {
  const log = await logState(bus);
  const at = checkpoint && checkpoint.seq >= log.firstSeq ? await ceIdAt(bus, checkpoint.seq) : null;
  return startPosition(log, checkpoint, at);
}

/** Id of the event at a sequence; undefined when it has none, null when no message is there. */
async function ceIdAt(bus: Bus, seq: number): Promise<string | undefined | null> {
  const message = await bus.jsm.streams.getMessage(LOG_STREAM, { seq });
  return message === null ? null : message.header.get(HEADERS.id) || undefined;
}

/** The checkpoint behind a message. */
export function checkpointAfter(before: Checkpoint, message: Pick<StoredMessage, 'seq' | 'header'>): Checkpoint {
  const ceId = message.header(HEADERS.id) || undefined;
  return {
    stream: before.stream,
    generation: before.generation,
    seq: message.seq,
    ...(ceId !== undefined && { ceId }),
  };
}
