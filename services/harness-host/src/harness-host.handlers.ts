import { type Bus, type Consumption, consume, workerDurable } from '@reins/bus';
import type { Problem } from '@reins/contracts';
import type { Slots } from './slots/slots.ts';
import type { StageWorker } from './stage/stage-worker.ts';

/** While another host works on a stage, or may work on it still, it is looked at again after this. */
const RETRY_MS = [1000, 2000];

/**
 * What a host consumes: `runtime.stage.requested` of each runtime that it offers, through the runtime's own durable, as many at a time as
 * it has free places for all of them together.
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

  /** A consumption that ended by itself never comes back: without it a runtime is offered, and none of its stages taken. */
  watch(shutDownWithError: (problem: Problem) => void): void {
    for (const [runtimeId, { closed }] of this.#consumptions)
      void closed.then((reason) => {
        if (reason === 'stopped') return;
        const message = `the stage requests of ${runtimeId} are no longer taken: ${reason}`;
        shutDownWithError({ code: 'bus_unavailable', message, path: runtimeId });
      });
  }

  /** Phase one: takes nothing more. */
  pause(): void {
    for (const consumption of this.#consumptions.values()) consumption.pause();
  }

  /** Phase two: waits for what runs. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.#consumptions.values()].map((consumption) => consumption.stop({ graceMs })));
  }
}
