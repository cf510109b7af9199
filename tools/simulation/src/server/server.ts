import { hash } from 'node:crypto';
import type { CrashMark } from '@reins/bus';
import type { BlobRef, ParkedRun, SessionRecord } from '@reins/contracts';
import type { ArchivePosition, ReconciledPosition, StoredSnapshot } from '@reins/control-bus/core';
import type { Checkpoint } from '@reins/journal';
import type { Scheduler } from '../scheduler.ts';
import { Bucket } from './bucket.ts';
import { Claims } from './claims.ts';
import { HeldStream } from './held.ts';
import { InboxStream } from './inbox.ts';
import { Journals } from './journals.ts';
import { Leases } from './leases.ts';
import { MessageLog, type NewMessage, type PublishResult, type StoredMessage } from './log.ts';

export interface DeadMessage {
  readonly subject: string;
  readonly id: string;
  readonly code: string;
  readonly message: string;
}

/** A control message to the host of a stage. */
export interface HostControl {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
}

/** What the offers of hosts show. */
export interface OfferedHosts {
  /** Whether there are no offers. */
  readonly isAway: boolean;
  /** How long the hosts were idle during the last milliseconds. */
  idleMs(periodMs: number): number;
}

/** The durable state: streams, buckets and blobs. The server never fails; only calls to it do. */
export class Server {
  /** The creation time of the journal stream. */
  readonly created = 'once';
  /** How often each stream lost its last messages. */
  powerFailures = 0;
  /** How often the connections of all machines broke. */
  brokenConnections = 0;
  readonly journals: Journals;
  readonly events: MessageLog;
  readonly inbox: InboxStream;
  readonly held: HeldStream;
  /** By key: the records of parked runs. */
  readonly parked = new Map<string, ParkedRun>();
  readonly leases: Leases;
  readonly sessions = new Bucket<SessionRecord>();
  /** By partition: the live-run snapshot for the next owner. */
  readonly snapshots = new Bucket<StoredSnapshot>();
  readonly claims = new Claims();
  /** By effect: how many questions suspended it, without repeats. */
  readonly questions = new Map<string, number>();
  readonly controls = new Map<string, readonly HostControl[]>();
  /** By inbox or held sequence: how often the message may have crashed a process. */
  readonly crashMarks = new Map<string, CrashMark>();
  readonly dead: DeadMessage[] = [];
  /** Runs whose journals cannot be used: a newer version wrote them, or the call hangs. */
  readonly unusableJournals = new Map<string, 'newer' | 'hangs'>();
  /** By run: how often its journal could not be used. */
  readonly failedTries = new Map<string, number>();
  /** By partition: up to where the facts are known to be complete. */
  readonly reconciled = new Bucket<ReconciledPosition>();
  /** By partition: the archive position. */
  readonly archivePositions = new Bucket<ArchivePosition>();
  /** Runs that two sweeps of one owner found unpublished. They may stay in the stream. */
  readonly unarchivedRuns = new Set<string>();
  /** By run: the index of its checkpoint. */
  readonly checkpoints = new Bucket<Checkpoint>();
  readonly #blobs = new Map<string, Uint8Array>();
  /** Called for every new message in the event log. */
  onEvent: (message: StoredMessage) => void = () => {};
  /** Called for every control message to a running stage. */
  onControl: (effectId: string, control: HostControl) => void = () => {};

  /** The hosts of stages, as their offers show them. */
  stageHosts: OfferedHosts = { isAway: false, idleMs: (periodMs) => periodMs };

  /** Whether the stage of a run waits for its hosts, or is being handled. */
  isStageQueued: (runId: string) => boolean = () => true;

  constructor(scheduler: Scheduler) {
    this.events = new MessageLog(() => scheduler.now);
    this.inbox = new InboxStream(scheduler);
    this.held = new HeldStream(() => scheduler.now);
    this.journals = new Journals(() => scheduler.now);
    this.leases = new Leases(() => scheduler.now);
  }

  /**
   * A power failure: each stream forgets its own last messages.
   * @param kept how much of a stream is kept, from 0 to 1
   */
  losePower(kept: () => number): void {
    this.powerFailures += 1;
    this.brokenConnections += 1;
    this.journals.setBack(kept());
    this.events.setBack(kept());
    this.sessions.setBack(kept());
  }

  publish(message: NewMessage): PublishResult {
    if (message.subject.startsWith('inbox.')) return this.inbox.publish(message);
    const result = this.events.publish(message);
    if (!result.duplicate) this.onEvent(result.message);
    return result;
  }

  control(effectId: string, control: HostControl): void {
    const known = this.controls.get(effectId) ?? [];
    if (known.some(({ id }) => id === control.id)) return;
    this.controls.set(effectId, [...known, control]);
    this.onControl(effectId, control);
  }

  putBlob(bytes: Uint8Array): BlobRef {
    const sha256 = hash('sha256', bytes);
    this.#blobs.set(sha256, bytes);
    return { sha256, size: bytes.length };
  }

  getBlob({ sha256 }: BlobRef): Uint8Array {
    const found = this.#blobs.get(sha256);
    if (!found) throw new Error(`unknown blob ${sha256}`);
    return found;
  }

  removeBlob({ sha256 }: BlobRef): void {
    this.#blobs.delete(sha256);
  }
}
