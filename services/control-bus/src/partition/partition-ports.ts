import type { Lease, StopReason } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { JournalStore } from '@reins/journal';
import type { Logger } from '@reins/service-kit';
import type { ReconcilerPorts } from '../reconcile/reconciler-ports.ts';
import type { RunPorts } from '../run/run-ports.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Clock } from './clock.ts';
import type { HeldRunsPorts } from './held-runs.ts';
import type { Inbox, InboxConsumerOptions } from './inbox.ts';
import type { LiveRunsPorts } from './owned-live-runs.ts';
import type { TimerPort } from './run-alarms.ts';
import type { RunArchiverPorts } from './run-archiver.ts';

/** The dependencies of a partition. */
export interface PartitionPorts {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly clock: Clock;
  /**
   * Takes the inbox over from the previous owner of the partition.
   * @throws ReinsError `bus_lease_lost`
   */
  readonly takeOverInbox: (use: InboxConsumerOptions) => Promise<Inbox>;
  /** Whether the inbox has a submit of the run that is not acknowledged. @throws ReinsError of the bus */
  readonly isSubmitInInbox: (run: RunAddress) => Promise<boolean>;
  /** Where the messages of this partition's runs are held. */
  readonly held: (partition: number) => Pick<HeldRunsPorts, 'messages' | 'parked' | 'quarantine'>;
  /** A random fraction from 0 to 1. */
  readonly random: () => number;
  readonly timers: TimerPort;
  /** How long a run waits in memory for its next deadline before the timer is scheduled in the stream. */
  readonly inMemoryMs: number;
  /** The journals as stored in the stream, for the owner under this lease. */
  readonly journalStore: (lease: Lease) => JournalStore;
  readonly checkpoints: Pick<Checkpoints, 'onAppend'>;
  readonly liveRuns: LiveRunsPorts;
  readonly archive: RunArchiverPorts;
  readonly reconciler: Omit<ReconcilerPorts, 'run' | 'clock' | 'log'>;
  /** The setting `nats.partitions` of the installation. */
  readonly partitions: number;
  /** Resolves a message body that is stored as a blob because it is too large for a message. */
  readonly inline: (body: Uint8Array) => Promise<Uint8Array>;
  /** Called when the inbox ended while the partition is still running. */
  readonly onInboxLost: (lease: Lease, reason: StopReason) => void;
  /** What all runs share. */
  readonly run: Omit<RunPorts, OwnedRunPort>;
}

/** The ports of a run that its partition provides. */
type OwnedRunPort = 'journal' | 'alarm' | 'clearTimers' | 'runStep';
