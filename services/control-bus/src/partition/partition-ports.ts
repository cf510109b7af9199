import type { Bus, Lease, StopReason } from '@reins/bus';
import type { RunAddress } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { RunPorts } from '../run/run-ports.ts';
import type { TimerPort } from './run-alarms.ts';

/** What a partition needs of the world. */
export interface PartitionPorts {
  readonly bus: Bus;
  readonly log: Logger;
  readonly clock: RunPorts['clock'];
  readonly timers: TimerPort;
  /** How long the next deadline of a run, and with it the run, waits in memory before it is handed to the stream. */
  readonly inMemoryMs: number;
  /** The runs of a partition that have not ended, and whose next timer is not in the stream. */
  readonly liveRuns: (partition: number) => Promise<readonly RunAddress[]>;
  /** A message body, fetched from the blobs where it is too large for the log. */
  readonly inline: (body: Uint8Array) => Promise<Uint8Array>;
  /** The inbox ended although the partition did not: nothing moves its runs any more. */
  readonly inboxGone: (lease: Lease, reason: StopReason) => void;
  /** The ports of one run under this lease. */
  readonly runPorts: (lease: Lease, own: Pick<RunPorts, 'alarm' | 'runStep'>) => RunPorts;
}
