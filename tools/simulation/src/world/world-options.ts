import type { Random } from '@reins/chaos/random';
import type { FaultRates } from '../faults.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Server } from '../server/server.ts';

/** What everyone in the world around the services uses. */
export interface WorldOptions {
  readonly server: Server;
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly faults: () => FaultRates;
}
