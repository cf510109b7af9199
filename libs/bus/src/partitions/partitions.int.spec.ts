import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Bus, connectBus } from '../connection/bus.ts';
import type { Consumption } from '../consume/consumption.ts';
import { openBucket } from '../kv/bucket.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { consumeInbox, inboxDurable } from './inbox.ts';
import type { Lease } from './lease.ts';
import { PartitionLeases } from './partition-leases.ts';

const PARTITIONS = 4;
/** Where leases are to run out. */
const TTL_MS = 1_500;
/** Where they are to be kept, on a machine that may stand still for a moment. */
const PATIENT_MS = 3 * TTL_MS;

/** A replica that only notes what happens to its partitions. */
class Replica {
  readonly leases: PartitionLeases;
  readonly won: Lease[] = [];
  readonly lost: Lease[] = [];
  readonly handedOver: Lease[] = [];

  constructor(bus: Bus, name: string, ttlMs: number) {
    this.leases = new PartitionLeases(bus, {
      replica: name,
      partitions: PARTITIONS,
      ttlMs,
      handlers: {
        won: (lease) => void this.won.push(lease),
        lost: (lease) => void this.lost.push(lease),
        handover: (lease) => void this.handedOver.push(lease),
      },
    });
  }

  get partitions(): number[] {
    return this.leases.held.map(({ partition }) => partition).sort();
  }
}

describe('partitions', () => {
  let fixture: BusFixture;
  let bus: Bus;
  const started: PartitionLeases[] = [];
  beforeEach(async () => {
    fixture = await BusFixture.start({ partitions: PARTITIONS });
    bus = await fixture.connect();
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((leases) => leases.stop()));
    await fixture.stop();
  });

  const replica = async (name: string, ttlMs: number, own?: Bus): Promise<Replica> => {
    const made = new Replica(own ?? (await fixture.connect(name)), name, ttlMs);
    started.push(made.leases);
    await made.leases.start();
    return made;
  };

  it('an owner whose start a handover interrupts has not failed', async () => {
    const own = await fixture.connect('interrupted');
    const errors: string[] = [];
    jest.spyOn(own.log, 'error').mockImplementation((_, message) => void errors.push(message));
    const starting = Promise.withResolvers<void>();
    const interrupted = Promise.withResolvers<void>();
    const leases = new PartitionLeases(own, {
      replica: 'interrupted',
      partitions: 1,
      ttlMs: PATIENT_MS,
      handlers: {
        won: () => {
          starting.resolve();
          return interrupted.promise;
        },
        handover: () => interrupted.reject(new Error('the owner was stopped')),
        lost: () => {},
      },
    });
    started.push(leases);
    await leases.start();
    await starting.promise;
    await leases.stop();
    expect(errors).toEqual([]);
  });

  it('are won from replicas that died, though the server forgot to remove their keys', async () => {
    const bucket = await openBucket<{ owner: string }>(bus, 'leases');
    await bucket.put('replica.ghost', { owner: 'ghost' });
    for (const partition of [0, 1, 2]) await bucket.put(`p.${partition}`, { owner: 'ghost' });
    const a = await replica('a', TTL_MS);
    await until(() => a.partitions.length === PARTITIONS, 'all are held');
    expect(await bucket.get('replica.ghost')).toBeUndefined();
  });

  it('are all won by one replica, and shared with the next one gracefully', async () => {
    const a = await replica('a', PATIENT_MS);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    const epochs = new Map(a.won.map(({ partition, epoch }) => [partition, epoch]));
    const b = await replica('b', PATIENT_MS);
    await until(() => b.partitions.length === 2, 'b has its share');
    expect([...a.partitions, ...b.partitions].sort()).toEqual([0, 1, 2, 3]);
    expect(a.lost).toEqual([]);
    expect(a.handedOver.every(({ signal, valid }) => signal.aborted && !valid)).toBe(true);
    for (const { partition, epoch } of b.won) expect(epoch).toBeGreaterThan(epochs.get(partition) as number);
    await b.leases.stop();
    await until(() => a.partitions.length === PARTITIONS, 'a has all again');
  });

  it('outlive many renewals', async () => {
    const a = await replica('a', PATIENT_MS);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    const bucket = await openBucket<{ owner: string }>(bus, 'leases');
    const renewals = new Set<number>();
    const watch = await bucket.watch({ filter: 'p.0' }, (_, entry) => void renewals.add(entry?.revision ?? 0));
    await until(() => renewals.size === 5, 'it was renewed four times, for a third of a life each');
    watch.stop();
    expect([a.won.length, a.lost.length]).toEqual([PARTITIONS, 0]);
    expect(await Promise.all(a.leases.held.map((lease) => a.leases.verify(lease)))).toEqual([true, true, true, true]);
  });

  it('of a replica that is cut off are won by the other one, never owned by both', async () => {
    const link = await FlakyLink.start(fixture.nats.port);
    const cutOff = await connectBus({ servers: link.url, name: 'a' });
    const a = await replica('a', PATIENT_MS, cutOff);
    const b = await replica('b', PATIENT_MS);
    await until(() => a.partitions.length === 2 && b.partitions.length === 2, 'both have their share');
    const owners = () =>
      [...a.leases.held, ...b.leases.held].filter(({ valid }) => valid).map(({ partition }) => partition);
    const doomed = a.leases.held;
    link.lose('requests');
    await until(() => {
      const owned = owners();
      expect(new Set(owned).size).toBe(owned.length);
      return b.partitions.length === PARTITIONS;
    }, 'b has all');
    // By its own clock the one that is cut off knew it before.
    expect([doomed.map(({ valid }) => valid), a.lost.length]).toEqual([[false, false], 2]);
    expect(await b.leases.verify(doomed[0] as Lease)).toBe(false);
    link.cut();
    await until(() => a.partitions.length === 2, 'a has its share again');
    await a.leases.stop();
    await cutOff.close();
    link.stop();
  });

  it('are lost at once when the connection is closed', async () => {
    const own = await fixture.connect('closing');
    const a = await replica('a', PATIENT_MS, own);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    await own.close();
    await until(() => a.lost.length === PARTITIONS, 'all are lost');
    expect(a.leases.held).toEqual([]);
  });

  it('are lost while the server is away for longer than a lease lives, and won again under new epochs', async () => {
    const a = await replica('a', TTL_MS);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    await fixture.nats.kill();
    await until(() => a.lost.length === PARTITIONS, 'all are lost');
    await fixture.nats.restart();
    await until(() => a.partitions.length === PARTITIONS, 'a has all again');
    for (const { partition, epoch } of a.lost) {
      const again = a.leases.held.find((lease) => lease.partition === partition);
      expect(again?.epoch).toBeGreaterThan(epoch);
    }
  });

  describe('inbox', () => {
    const runs = ['r1', 'r2', 'r3'];
    const answers = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) =>
        event(`inbox.1.runtime.stage.completed.ws.${runs[n % runs.length]}.eff`, `a-${first + n}`),
      ).map((message) => ({ ...message, headers: { ...message.headers, type: 'runtime.stage.completed' } }));
    /** Ownership as the test says it is. */
    const book = (holds: () => boolean) => ({ verify: async () => holds() });
    const lease = (epoch: number): Lease & { end(): void } => {
      const abort = new AbortController();
      return { partition: 1, epoch, valid: true, signal: abort.signal, end: () => abort.abort() };
    };

    it('goes to the new owner whole, while the former one still pulls', async () => {
      const zombieSaw: string[] = [];
      const ownerSaw: string[] = [];
      const former = lease(7);
      const zombie = await consumeInbox(await fixture.connect('zombie'), {
        lease: former,
        leases: book(() => true),
        concurrency: 8,
        handler: (message) => {
          zombieSaw.push(message.msgId);
          return new Promise(() => {});
        },
      });
      const publisher = new OrderedPublisher(bus);
      await publisher.publishAll(answers(0, 6));
      await until(() => zombieSaw.length === 3, 'the former owner is at work on one message of each run');
      const owner = await consumeInbox(bus, {
        lease: lease(9),
        leases: book(() => true),
        concurrency: 16,
        handler: async (message) => {
          ownerSaw.push(message.msgId);
        },
      });
      await publisher.publishAll(answers(6, 30));
      await until(() => ownerSaw.length === 36, 'the new owner has them all');
      expect(await zombie.closed).toBe('consumer_gone');
      expect([zombieSaw.length, new Set(ownerSaw).size]).toEqual([3, 36]);
      for (const index of runs.keys()) {
        const lane = ownerSaw
          .filter((id) => Number(id.slice(2)) % runs.length === index)
          .map((id) => Number(id.slice(2)));
        expect(lane).toEqual([...lane].sort((a, b) => a - b));
      }
      await owner.stop();
      await until(async () => (await bus.jsm.streams.info('INBOX')).state.messages === 0, 'all are acknowledged');
    });

    it('is refused to a former owner that wakes up', async () => {
      const owner = await consumeInbox(bus, {
        lease: lease(9),
        leases: book(() => true),
        concurrency: 1,
        handler: () => {},
      });
      const zombie = { lease: lease(7), concurrency: 1, handler: () => {} };
      // It still believes that it holds the lease, and then learns that it does not.
      let asked = 0;
      await expect(consumeInbox(bus, { ...zombie, leases: book(() => asked++ < 1) })).rejects.toMatchObject({
        code: 'bus_lease_lost',
      });
      const names = (await Promise.all([bus.jsm.consumers.info('INBOX', inboxDurable({ partition: 1, epoch: 9 }))]))
        .length;
      expect(names).toBe(1);
      await owner.stop();
    });

    it('ends with its lease', async () => {
      const owned = lease(3);
      const consumption: Consumption = await consumeInbox(bus, {
        lease: owned,
        leases: book(() => true),
        concurrency: 1,
        handler: () => {},
      });
      owned.end();
      expect(await consumption.closed).toBe('stopped');
    });
  });
});
