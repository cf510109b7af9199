import { type Bus, type BusLog, type Consumption, consume, workerDurable } from '@reins/bus';
import type { Slots } from './slots/slots.ts';
import type { StageWorker } from './stage/stage-worker.ts';

/** While another host works on a stage, or may work on it still, it is looked at again after this. */
const RETRY_MS = [1000, 2000];

/**
 * What a host consumes: `runtime.stage.requested` of each runtime that it offers, through the runtime's own durable, as many at a time as
 * it has free places for all of them together.
 */
export class StageIntake {
  readonly #consumptions: readonly Consumption[];

  private constructor(consumptions: readonly Consumption[]) {
    this.#consumptions = consumptions;
  }

  static async open(bus: Bus, runtimeIds: readonly string[], slots: Slots, worker: StageWorker): Promise<StageIntake> {
    const open = async (runtimeId: string): Promise<Consumption> => {
      const consumption = await consume(bus, {
        stream: 'EVENTS',
        durable: workerDurable('runtime.stage.requested', runtimeId),
        concurrency: 0,
        handler: (message) => slots.use(runtimeId, () => worker.handle(message)),
        onDead: (message, problem) => worker.bury(message, problem),
        retry: { delaysMs: RETRY_MS },
      });
      slots.attach(runtimeId, consumption);
      return consumption;
    };
    return new StageIntake(await Promise.all(runtimeIds.map(open)));
  }

  /** Tells why a consumption ended by itself. */
  watch(log: BusLog): void {
    for (const { closed } of this.#consumptions)
      void closed.then((reason) => reason !== 'stopped' && log.error({ reason }, 'stage requests are no longer taken'));
  }

  /** Phase one: takes nothing more. */
  pause(): void {
    for (const consumption of this.#consumptions) consumption.pause();
  }

  /** Phase two: waits for what runs. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#consumptions.map((consumption) => consumption.stop({ graceMs })));
  }
}
