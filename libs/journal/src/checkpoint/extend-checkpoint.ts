import { journalSubject, type RunAddress } from '@reins/contracts';
import { endOfCommit } from '../entries/commit-codec.ts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { type Checkpoint, type CheckpointStore, isCheckpointEnd, sha256Of } from './checkpoint.ts';
import { type Compress, compressed, encodePart } from './part.ts';

export interface ExtendOptions {
  readonly port: Pick<StreamPort, 'read'>;
  readonly checkpoints: CheckpointStore;
  /** The setting `nats.partitions` of the installation. */
  readonly partitions?: number;
  /** How many entries a part has. */
  readonly every: number;
  /** Replaces gzip where compression must not take real time (simulation). */
  readonly compress?: Compress;
}

/**
 * Whether a journal that grew from one version to the other completed a part, that is, reached another multiple of its
 * size.
 */
export const fillsPart = (from: number, to: number, every: number): boolean =>
  Math.floor(to / every) > Math.floor(from / every);

const EMPTY_CHECKPOINT: Checkpoint = { position: 0, sha256: '', version: 0, parts: [] };

/**
 * Adds the complete parts that a journal has grown by to its checkpoint. A part ends with the first commit that reaches
 * a multiple of `every` entries, so every owner makes the same parts. The commits are stored unchanged, and loaders
 * verify them like those of the stream.
 */
export async function extendCheckpoint(
  { port, checkpoints, partitions, every, compress = compressed }: ExtendOptions,
  run: RunAddress,
): Promise<void> {
  const kept = await checkpoints.find(run);
  let checkpoint = kept?.checkpoint ?? EMPTY_CHECKPOINT;
  const messages = await port.read(journalSubject(run, partitions), { fromSeq: checkpoint.position });
  if (kept && !isCheckpointEnd(checkpoint, messages[0])) return checkpoints.forget(run, kept);
  for (const part of completeParts(kept ? messages.slice(1) : messages, checkpoint, every)) {
    const { data, seq: position } = part.messages.at(-1) as StreamMessage;
    const commits = part.messages.map((message) => message.data);
    const parts = [...checkpoint.parts, await checkpoints.put(await encodePart(commits, compress))];
    checkpoint = { position, sha256: sha256Of(data), version: part.version, parts };
  }
  if (checkpoint.position > (kept?.checkpoint.position ?? 0)) await checkpoints.keep(run, checkpoint, kept);
}

/** Splits the new commits into complete parts. Stops at the first commit that cannot be read. */
function* completeParts(messages: readonly StreamMessage[], { version }: Checkpoint, every: number) {
  let before = version;
  let part: StreamMessage[] = [];
  for (const message of messages) {
    const end = message.problem ? undefined : endOfCommit(message.data);
    if (!end) return;
    part.push(message);
    if (fillsPart(before, end.version, every)) {
      yield { messages: part, version: end.version };
      part = [];
    }
    before = end.version;
  }
}
