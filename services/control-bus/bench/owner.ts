import { type Bus, connectBus, provision } from '@reins/bus';
import type { JsonValue } from '@reins/contracts';
import { startNats } from '@reins/testing';
import type { BuiltInProcess } from '../dist/processes/built-in-process.js';
import { BusOwner, PARTITIONS, processesOf, submission } from '../dist/testing/bus-owner.js';

/** A NATS server, a control bus that owns all partitions, and a client that submits runs and waits for their events. */
export class OwnerBench {
  readonly bus: Bus;
  readonly owner: BusOwner;
  readonly url: string;
  readonly stop: () => Promise<void>;

  private constructor(bus: Bus, owner: BusOwner, url: string, stop: () => Promise<void>) {
    this.bus = bus;
    this.owner = owner;
    this.url = url;
    this.stop = stop;
  }

  /** @param inMemoryMs how long a waiting run stays in memory */
  static async start(
    processes: Readonly<Record<string, BuiltInProcess['run']>>,
    inMemoryMs?: number,
  ): Promise<OwnerBench> {
    const nats = await startNats();
    const bus = await connectBus({ servers: nats.url, name: 'bench' });
    await provision(bus, { managed: 'self', partitions: PARTITIONS, replicas: 1, runtimeIds: [] });
    const owner = await BusOwner.start(nats.url, processesOf(processes), { inMemoryMs });
    return new OwnerBench(bus, owner, nats.url, async () => {
      await owner.stop();
      await bus.close();
      await nats.stop();
    });
  }

  /** Submits these runs, and resolves when each has published an event of the type. */
  async submitUntil(type: string, requestIds: readonly string[], process: string, input: JsonValue): Promise<void> {
    const wanted = new Set(requestIds);
    const { promise, resolve } = Promise.withResolvers<void>();
    const subscription = this.bus.nc.subscribe(`${type}.ws.*`, {
      callback: (_, message) => {
        if (wanted.delete(message.subject.split('.').at(-1) ?? '') && wanted.size === 0) resolve();
      },
    });
    await this.bus.nc.flush();
    await this.owner.send(...requestIds.map((requestId) => submission(requestId, { process, input })));
    await promise;
    subscription.unsubscribe();
  }
}
