import { hash } from 'node:crypto';
import type { BlobRef, SessionRecord } from '@reins/contracts';
import type { ArchivePosition, StoredSnapshot } from '@reins/control-bus/core';
import type { Checkpoint } from '@reins/journal';
import type { Scheduler } from '../scheduler.ts';
import { Bucket } from './bucket.ts';
import { InboxStream } from './inbox.ts';
import { Journals } from './journals.ts';
import { Leases } from './leases.ts';
import { MessageLog, type NewMessage, type StoredMessage, type Taken } from './log.ts';

export interface DeadMessage {
  readonly subject: string;
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** Everything that lasts: streams, buckets and blobs. Nothing here ever fails; what does is the way to it. */
export class Server {
  /** When its journal stream was made. */
  readonly created = 'once';
  readonly journals: Journals;
  readonly events: MessageLog;
  readonly inbox: InboxStream;
  readonly leases: Leases;
  readonly sessions = new Bucket<SessionRecord>();
  /** By partition: what its owners leave to the next one. */
  readonly snapshots = new Bucket<StoredSnapshot>();
  readonly controls = new Map<string, readonly { readonly id: string; readonly kind: string }[]>();
  /** Of messages that may have ended a process, how often. */
  readonly crashMarks = new Map<number, { readonly crashes: number; readonly owner: string }>();
  readonly dead: DeadMessage[] = [];
  /** By partition: how far it was archived. */
  readonly archivePositions = new Bucket<ArchivePosition>();
  /** Runs that two sweeps of one ownership found untold: they may stay where they are. */
  readonly unarchivedRuns = new Set<string>();
  /** By run: how far the beginning of its journal is kept. */
  readonly checkpoints = new Bucket<Checkpoint>();
  readonly #blobs = new Map<string, Uint8Array>();
  /** Hears of every message that is new in the public log. */
  onEvent: (message: StoredMessage) => void = () => {};
  /** Hears of every order to a running stage. */
  onOrder: (effectId: string, kind: string) => void = () => {};

  constructor(scheduler: Scheduler) {
    this.events = new MessageLog(() => scheduler.now);
    this.inbox = new InboxStream(scheduler);
    this.journals = new Journals(() => scheduler.now);
    this.leases = new Leases(() => scheduler.now);
  }

  publish(message: NewMessage): Taken {
    if (message.subject.startsWith('inbox.')) return this.inbox.publish(message);
    const taken = this.events.publish(message);
    if (!taken.duplicate) this.onEvent(taken.message);
    return taken;
  }

  order(effectId: string, order: { readonly id: string; readonly kind: string }): void {
    const known = this.controls.get(effectId) ?? [];
    if (known.some(({ id }) => id === order.id)) return;
    this.controls.set(effectId, [...known, order]);
    this.onOrder(effectId, order.kind);
  }

  putBlob(bytes: Uint8Array): BlobRef {
    const sha256 = hash('sha256', bytes);
    this.#blobs.set(sha256, bytes);
    return { sha256, size: bytes.length };
  }

  getBlob({ sha256 }: BlobRef): Uint8Array {
    const found = this.#blobs.get(sha256);
    if (!found) throw new Error(`there is no blob ${sha256}`);
    return found;
  }

  removeBlob({ sha256 }: BlobRef): void {
    this.#blobs.delete(sha256);
  }
}
