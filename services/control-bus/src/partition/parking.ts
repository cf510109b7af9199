import type { Problem } from '@reins/contracts';
import type { Logger } from '@reins/service-kit';
import type { Clock } from './clock.ts';
import type { HeldRun } from './held-run.ts';
import type { ParkedRuns } from './parked-runs.ts';

/** The first and the longest delay until a parked run is tried again. */
export const PARKED_MS = 30_000;
const MAX_PARKED_MS = 600_000;

export interface ParkingPorts {
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly parked: ParkedRuns;
}

/** Parks the runs of a partition whose messages keep failing. The records are for operators; the messages are durable. */
export class Parking {
  readonly #ports: ParkingPorts;
  readonly #partition: number;

  constructor(ports: ParkingPorts, partition: number) {
    this.#ports = ports;
    this.#partition = partition;
  }

  /** @returns the delay in milliseconds until the run is tried again, which grows with each call */
  park(held: HeldRun, { code, message }: Problem): number {
    const { clock, log, parked } = this.#ports;
    const { runId: requestId, workspaceId } = held.run;
    const { since = clock.now().toISOString(), tries = 0 } = held.parked ?? {};
    held.parked = { requestId, workspaceId, code, message, since, tries: tries + 1 };
    log.warn({ ...held.parked }, 'run parked');
    parked.put(this.#partition, held.parked).catch(() => {});
    return Math.min(PARKED_MS * 2 ** tries, MAX_PARKED_MS);
  }

  unpark(held: HeldRun): void {
    if (!held.parked) return;
    held.parked = undefined;
    this.#ports.parked.delete(this.#partition, held.run).catch(() => {});
  }
}
