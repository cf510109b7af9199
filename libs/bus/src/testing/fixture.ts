import { setTimeout as delay } from 'node:timers/promises';
import { startNats, type TestNats } from '@reins/testing';
import { type Bus, connectBus } from '../connection/bus.ts';
import type { BusSettings } from '../connection/settings.ts';
import type { Lease } from '../partitions/lease.ts';
import { provision } from '../topology/provision.ts';
import type { TopologySettings } from '../topology/topology.ts';

const SETTINGS: TopologySettings = { partitions: 4, replicas: 1, runtimeIds: ['pi'] };

/** A real server with the whole topology, and connections that close with it. */
export class BusFixture {
  readonly nats: TestNats;
  readonly #buses: Bus[] = [];

  private constructor(nats: TestNats) {
    this.nats = nats;
  }

  static async start(
    settings: Partial<TopologySettings> = {},
    nats: Parameters<typeof startNats>[0] = {},
  ): Promise<BusFixture> {
    const fixture = new BusFixture(await startNats(nats));
    await provision(await fixture.connect('provisioner'), { ...SETTINGS, ...settings, managed: 'self' });
    return fixture;
  }

  async connect(name = 'test', settings: Partial<BusSettings> = {}): Promise<Bus> {
    const bus = await connectBus({ servers: this.nats.url, name, ...settings });
    this.#buses.push(bus);
    return bus;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#buses.map((bus) => bus.close()));
    await this.nats.stop();
  }
}

/** Polls until the condition is true. Throws after `timeoutMs`. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`timed out waiting for: ${what}`);
    // Yield: the awaited work may need the event loop.
    await delay(1);
  }
}

/** A lease that is always valid. */
export const leaseOf = (partition: number, epoch: number): Lease => ({
  partition,
  epoch,
  valid: true,
  signal: new AbortController().signal,
  raiseEpoch: async () => {},
});

const encoder = new TextEncoder();
export const json = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** A message with the event headers of a service. */
export function event(subject: string, id: string, body: unknown = {}) {
  const type = subject.split('.').slice(0, -2).join('.');
  const headers = { id, type, source: 'test', time: '2026-01-01T00:00:00.000Z' };
  return { subject, data: json(body), headers };
}

export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}
