import type { BusMessage, Consumption, InboxOptions } from '@reins/bus';
import type { Problem } from '@reins/contracts';

/** The parts of an inbox message that a partition uses. */
export type InboxMessage = Pick<
  BusMessage,
  'subject' | 'data' | 'seq' | 'deliveries' | 'event' | 'clearPoisonSuspicion'
>;

/** The running consumption of a partition's inbox. */
export type Inbox = Pick<Consumption, 'closed' | 'isBusy' | 'pause' | 'stop'>;

/** How the messages of an inbox are handled. Messages of one run are handled in order. */
export interface InboxConsumerOptions extends Pick<InboxOptions, 'lease' | 'leases' | 'concurrency'> {
  readonly handler: (message: InboxMessage) => Promise<void>;
  /**
   * Stores a message outside of the inbox: it has no place in memory, or its handling keeps failing with this problem.
   */
  readonly hold: (message: InboxMessage, problem: Problem | undefined) => Promise<void>;
  /** Called when no message of this run is left in memory. */
  readonly onIdle: (runId: string) => void;
  /** Called before a message is dead-lettered. */
  readonly onDead: (message: InboxMessage, problem: Problem) => Promise<void>;
}
