import type { Lease, StopReason } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { RunPorts } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';
import type { HeldRunsPorts } from './held-runs.ts';
import type { Inbox, InboxConsumerOptions } from './inbox.ts';
import type { TimerPort } from './run-alarms.ts';

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
  /** The runs that the new owner loads into memory. */
  readonly liveRuns: (partition: number, lease: Lease) => Promise<readonly RunAddress[]>;
  /** Called when the partition has stopped, before its lease is released. */
  readonly onRelease?: (lease: Lease) => Promise<void>;
  /** Resolves a message body that is stored as a blob because it is too large for a message. */
  readonly inline: (body: Uint8Array) => Promise<Uint8Array>;
  /** Called when the inbox ended while the partition is still running. */
  readonly onInboxLost: (lease: Lease, reason: StopReason) => void;
  /** The ports of one run under this lease. */
  readonly runPorts: (
    lease: Lease,
    own: Pick<RunPorts, 'alarm' | 'clearTimers' | 'runStep'>,
    run: RunAddress,
  ) => RunPorts;
}
