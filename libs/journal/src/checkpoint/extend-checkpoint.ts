import { journalSubject, problemsOfEntry, type RunAddress } from '@reins/contracts';
import { type Entry, type Head, hashEntry } from '../entries/entry.ts';
import { commitIn } from '../store/stored-commit.ts';
import type { StreamMessage, StreamPort } from '../store/stream-port.ts';
import { inTurns, type Steps } from '../verify/steps.ts';
import { type Checkpoint, type CheckpointStore, endsAt } from './checkpoint.ts';
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

const NOTHING: Checkpoint = { position: 0, version: 0, hash: '', parts: [] };

/**
 * Keeps what a journal has grown by since its checkpoint, as far as that makes whole parts: each ends with the first commit that reaches the next multiple of `every`
 * entries, so that whoever makes a part makes the same. Only what is chained and has its hash is kept; that each entry may stand where it does is verified when it is
 * loaded, as it was when it was appended.
 */
export async function extendCheckpoint(
  { port, checkpoints, partitions, every, compress = compressed }: ExtendOptions,
  run: RunAddress,
): Promise<void> {
  const kept = await checkpoints.find(run);
  const before = kept?.checkpoint ?? NOTHING;
  const messages = await port.read(journalSubject(run, partitions), { fromSeq: before.position });
  if (kept && !(messages[0] && endsAt(before, commitIn(messages[0])))) return checkpoints.forget(run, kept);
  let checkpoint = before;
  const parts = await inTurns(wholeParts(kept ? messages.slice(1) : messages, before, every));
  for (const { commits, ...reached } of parts) {
    const part = await checkpoints.put(await encodePart(commits, compress));
    checkpoint = { ...reached, parts: [...checkpoint.parts, part] };
  }
  if (parts.length > 0) await checkpoints.keep(run, checkpoint, kept);
}

interface WholePart extends Omit<Checkpoint, 'parts'> {
  readonly commits: readonly Uint8Array[];
}

/** An entry with each step. */
function* wholeParts(messages: readonly StreamMessage[], after: Head, every: number): Steps<WholePart[]> {
  const parts: WholePart[] = [];
  let head = after;
  let commits: Uint8Array[] = [];
  for (const message of messages) {
    const reached = yield* continuedBy(head, commitIn(message).entries ?? []);
    if (!reached) return parts;
    commits.push(message.data);
    if (numberOf(reached, every) > numberOf(head, every)) {
      parts.push({ ...reached, position: message.seq, commits });
      commits = [];
    }
    head = reached;
  }
  return parts;
}

/** How often a journal has grown by this many entries. */
const numberOf = ({ version }: Head, every: number): number => Math.floor(version / every);

/** Where a journal ends with these entries; undefined where they are not its next ones. */
function* continuedBy(head: Head, entries: readonly Entry[]): Steps<Head | undefined> {
  let { version, hash } = head;
  for (const entry of entries) {
    const isNext = entry.version === version + 1 && entry.prev === hash && hashEntry(entry) === entry.hash;
    if (!isNext || problemsOfEntry(entry.type, entry.data).length > 0) return undefined;
    ({ version, hash } = entry);
    yield;
  }
  return version > head.version ? { version, hash } : undefined;
}
