import { type Bus, type Consumption, consume, workerDurable } from '@reins/bus';
import type { Problem } from '@reins/contracts';
import type { StageWorker } from '../stage/stage-worker.ts';
import type { Slots } from './slots.ts';

/** The redelivery delays while another host works on a stage, or may still work on it. */
const RETRY_MS = [1000, 2000];

/**
 * Consumes `runtime.stage.requested` for each offered runtime, through one durable consumer per runtime. The free
 * slots of the host limit the concurrency of all consumers together.
 */
export class StageIntake {
  readonly #consumptions: ReadonlyMap<string, Consumption>;

  private constructor(consumptions: ReadonlyMap<string, Consumption>) {
    this.#consumptions = consumptions;
  }

  static async open(bus: Bus, runtimeIds: readonly string[], slots: Slots, worker: StageWorker): Promise<StageIntake> {
    const open = async (runtimeId: string): Promise<[string, Consumption]> => {
      const consumption = await consume(bus, {
        stream: 'EVENTS',
        durable: workerDurable('runtime.stage.requested', runtimeId),
        concurrency: 0,
        handler: (message) => slots.use(runtimeId, () => worker.handle(message)),
        onDead: (message, problem) => worker.deadLetter(message, problem),
        retry: { delaysMs: RETRY_MS },
      });
      slots.attach(runtimeId, consumption);
      return [runtimeId, consumption];
    };
    return new StageIntake(new Map(await Promise.all(runtimeIds.map(open))));
  }

  /** Calls `shutDownWithError` when a consumer stops by itself: it would never restart. */
  watch(shutDownWithError: (problem: Problem) => void): void {
    for (const [runtimeId, { closed }] of this.#consumptions)
      void closed.then((reason) => {
        if (reason === 'stopped') return;
        const message = `the consumer of stage requests for ${runtimeId} stopped: ${reason}`;
        shutDownWithError({ code: 'bus_unavailable', message, path: runtimeId });
      });
  }

  /** Shutdown phase 1: stops taking new requests. */
  pause(): void {
    for (const consumption of this.#consumptions.values()) consumption.pause();
  }

  /** Shutdown phase 2: waits for running stages. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.#consumptions.values()].map((consumption) => consumption.stop({ graceMs })));
  }
}
