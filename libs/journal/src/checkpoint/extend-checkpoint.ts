import { journalSubject, type RunAddress } from '@reins/contracts';
import { endOfCommit } from '../entries/commit-end.ts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { type Checkpoint, type CheckpointStore, endsWith, sha256Of } from './checkpoint.ts';
import { type Compress, compressed, encodePart } from './part.ts';

export interface ExtendOptions {
  readonly port: Pick<StreamPort, 'read'>;
  readonly checkpoints: CheckpointStore;
  /** The setting `nats.partitions` of the installation. */
  readonly partitions?: number;
  /** Entries of a part. */
  readonly every: number;
  /** For those who do not want that to take real time. */
  readonly compress?: Compress;
}

/** Whether a journal that has grown from one version to the other has filled a part: it has passed, or reached, another multiple of its size. */
export const fillsPart = (from: number, to: number, every: number): boolean =>
  Math.floor(to / every) > Math.floor(from / every);

const NOTHING: Checkpoint = { position: 0, sha256: '', version: 0, parts: [] };

/**
 * Keeps what a journal has grown by since its checkpoint, as far as that makes whole parts: each ends with the first commit that reaches the next multiple of `every`
 * entries, so that whoever makes a part makes the same. The commits are kept as they are: who loads them verifies them as those of the stream.
 */
export async function extendCheckpoint(
  { port, checkpoints, partitions, every, compress = compressed }: ExtendOptions,
  run: RunAddress,
): Promise<void> {
  const kept = await checkpoints.find(run);
  let checkpoint = kept?.checkpoint ?? NOTHING;
  const messages = await port.read(journalSubject(run, partitions), { fromSeq: checkpoint.position });
  if (kept && !endsWith(checkpoint, messages[0])) return checkpoints.forget(run, kept);
  for (const part of wholeParts(kept ? messages.slice(1) : messages, checkpoint, every)) {
    const { data, seq: position } = part.messages.at(-1) as StreamMessage;
    const commits = part.messages.map((message) => message.data);
    const parts = [...checkpoint.parts, await checkpoints.put(await encodePart(commits, compress))];
    checkpoint = { position, sha256: sha256Of(data), version: part.version, parts };
  }
  if (checkpoint.position > (kept?.checkpoint.position ?? 0)) await checkpoints.keep(run, checkpoint, kept);
}

/** What it grew by, cut where a part is full. Nothing is taken in from the first commit on that cannot be read. */
function* wholeParts(messages: readonly StreamMessage[], { version }: Checkpoint, every: number) {
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
