import type { BusMessage, Consumption, InboxOptions, Lease, StopReason } from '@reins/bus';
import type { Problem, RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { RunPorts } from '../run/run-ports.ts';
import type { Clock } from './clock.ts';
import type { TimerPort } from './run-alarms.ts';

/** What a partition reads of a message of its inbox. */
export type InboxMessage = Pick<BusMessage, 'subject' | 'data' | 'deliveries' | 'event' | 'absolve'>;

/** A partition's inbox while it is consumed. */
export type Inbox = Pick<Consumption, 'closed' | 'pause' | 'stop'>;

/** What is done with the messages of an inbox; those of one run come one after the other. */
export interface InboxConsumerOptions extends Pick<InboxOptions, 'lease' | 'leases' | 'concurrency'> {
  readonly handler: (message: InboxMessage) => Promise<void>;
  /** Whether a message that failed like this waits for one behind it. */
  readonly givesWay: (error: unknown) => boolean;
  /** It will not be handled any more. */
  readonly onDead: (message: InboxMessage, problem: Problem) => Promise<void>;
}

/** What a partition needs of the world. */
export interface PartitionPorts {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly clock: Clock;
  /**
   * Takes the inbox over from whoever owned the partition before.
   * @throws ReinsError `bus_lease_lost`
   */
  readonly takeOverInbox: (use: InboxConsumerOptions) => Promise<Inbox>;
  readonly timers: TimerPort;
  /** How long the next deadline of a run, and with it the run, waits in memory before it is handed to the stream. */
  readonly inMemoryMs: number;
  /** The runs of a partition that have not ended, and whose next timer is not in the stream. */
  readonly liveRuns: (partition: number, lease: Lease) => Promise<readonly RunAddress[]>;
  /** Everything is done, and nothing will be done any more: the next owner may be told where the runs are. */
  readonly onRelease?: (lease: Lease) => Promise<void>;
  /** A message body, fetched from the blobs where it is too large for the log. */
  readonly inline: (body: Uint8Array) => Promise<Uint8Array>;
  /** The inbox ended although the partition did not: nothing moves its runs any more. */
  readonly onInboxLost: (lease: Lease, reason: StopReason) => void;
  /** The ports of one run under this lease. */
  readonly runPorts: (
    lease: Lease,
    own: Pick<RunPorts, 'alarm' | 'clearTimers' | 'runStep'>,
    run: RunAddress,
  ) => RunPorts;
}
