import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Bus, connectBus } from '../connection/bus.ts';
import type { Consumption } from '../consume/consumption.ts';
import { openBucket } from '../kv/bucket.ts';
import { OrderedPublisher } from '../publish/ordered-publisher.ts';
import { BusFixture, event, leaseOf, until } from '../testing/fixture.ts';
import { FlakyLink } from '../testing/flaky-link.ts';
import { consumeInbox, inboxDurable } from './inbox.ts';
import type { Lease } from './lease.ts';
import { PartitionLeases } from './partition-leases.ts';

const PARTITIONS = 4;
/** For tests in which leases expire. */
const TTL_MS = 1_500;
/** For tests in which leases are kept, even if the machine stalls for a moment. */
const LONG_TTL_MS = 3 * TTL_MS;

/** A replica that only records what happens to its partitions. */
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
      callbacks: {
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
      ttlMs: LONG_TTL_MS,
      callbacks: {
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

  it('are acquired from dead replicas even if the server forgets to remove their keys', async () => {
    const bucket = await openBucket<{ owner: string }>(bus, 'leases');
    await bucket.put('replica.stale', { owner: 'stale' });
    for (const partition of [0, 1, 2]) await bucket.put(`p.${partition}`, { owner: 'stale' });
    const a = await replica('a', TTL_MS);
    await until(() => a.partitions.length === PARTITIONS, 'all are held');
    expect(await bucket.get('replica.stale')).toBeUndefined();
  });

  it('are all acquired by one replica, and shared with the next one gracefully', async () => {
    const a = await replica('a', LONG_TTL_MS);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    const epochs = new Map(a.won.map(({ partition, epoch }) => [partition, epoch]));
    const b = await replica('b', LONG_TTL_MS);
    await until(() => b.partitions.length === 2, 'b has its share');
    expect([...a.partitions, ...b.partitions].sort()).toEqual([0, 1, 2, 3]);
    expect(a.lost).toEqual([]);
    expect(a.handedOver.every(({ signal, valid }) => signal.aborted && !valid)).toBe(true);
    for (const { partition, epoch } of b.won) expect(epoch).toBeGreaterThan(epochs.get(partition) as number);
    await b.leases.stop();
    await until(() => a.partitions.length === PARTITIONS, 'a has all again');
  });

  it('outlive many renewals', async () => {
    const a = await replica('a', LONG_TTL_MS);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    const bucket = await openBucket<{ owner: string }>(bus, 'leases');
    const renewals = new Set<number>();
    const watch = await bucket.watch({ filter: 'p.0' }, (_, entry) => void renewals.add(entry?.revision ?? 0));
    await until(() => renewals.size === 5, 'it was renewed four times, at a third of the TTL each');
    watch.stop();
    expect([a.won.length, a.lost.length]).toEqual([PARTITIONS, 0]);
    expect(await Promise.all(a.leases.held.map((lease) => a.leases.verify(lease)))).toEqual([true, true, true, true]);
  });

  it('do not become valid again when a renewal is answered after they expired', async () => {
    const stalling = await fixture.connect('stalling');
    const request = stalling.request.bind(stalling);
    let gate: PromiseWithResolvers<void> | undefined;
    stalling.request = async (subject, ...rest) => {
      const reply = await request(subject, ...rest);
      if (subject.startsWith('$KV.leases.p.')) await gate?.promise;
      return reply;
    };
    const a = await replica('a', TTL_MS, stalling);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    const [...first] = a.won;
    gate = Promise.withResolvers();
    await until(() => first.every(({ valid }) => !valid), 'all have expired');
    gate.resolve();
    gate = undefined;
    await until(() => a.won.length === 2 * PARTITIONS, 'all are acquired again');
    expect(first.map(({ valid, signal }) => valid || !signal.aborted)).toEqual(first.map(() => false));
    expect(new Set(a.lost)).toEqual(new Set(first));
  });

  it('of a disconnected replica are acquired by the other one, and never owned by both', async () => {
    const link = await FlakyLink.start(fixture.nats.port);
    const cutOff = await connectBus({ servers: link.url, name: 'a' });
    const a = await replica('a', LONG_TTL_MS, cutOff);
    const b = await replica('b', LONG_TTL_MS);
    await until(() => a.partitions.length === 2 && b.partitions.length === 2, 'both have their share');
    const owners = () =>
      [...a.leases.held, ...b.leases.held].filter(({ valid }) => valid).map(({ partition }) => partition);
    const lostLeases = a.leases.held;
    link.lose('requests');
    await until(() => {
      const owned = owners();
      expect(new Set(owned).size).toBe(owned.length);
      return b.partitions.length === PARTITIONS;
    }, 'b has all');
    // The disconnected replica noticed first, by its own clock.
    expect([lostLeases.map(({ valid }) => valid), a.lost.length]).toEqual([[false, false], 2]);
    expect(await b.leases.verify(lostLeases[0] as Lease)).toBe(false);
    link.cut();
    await until(() => a.partitions.length === 2, 'a has its share again');
    await a.leases.stop();
    await cutOff.close();
    link.stop();
  });

  it('are lost immediately when the connection is closed', async () => {
    const own = await fixture.connect('closing');
    const a = await replica('a', LONG_TTL_MS, own);
    await until(() => a.partitions.length === PARTITIONS, 'a has all');
    await own.close();
    await until(() => a.lost.length === PARTITIONS, 'all are lost');
    expect(a.leases.held).toEqual([]);
  });

  it('are lost when the server is down for longer than a TTL, and acquired again with new epochs', async () => {
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

  it('are taken over after the bucket of leases was created again, under epochs that do not fall', async () => {
    const filter = { filter_subject: 'inbox.0.>', ack_policy: 'explicit', deliver_policy: 'all' } as const;
    await bus.jsm.consumers.add('INBOX', { durable_name: inboxDurable({ partition: 0, epoch: 1_000_000 }), ...filter });
    const own = await fixture.connect('next');
    const taken: Consumption[] = [];
    const leases: PartitionLeases = new PartitionLeases(own, {
      replica: 'next',
      partitions: 1,
      ttlMs: LONG_TTL_MS,
      callbacks: {
        won: async (lease) => {
          taken.push(await consumeInbox(own, { lease, leases, concurrency: 1, handler: () => {} }));
        },
        handover: async () => {},
        lost: () => {},
      },
    });
    started.push(leases);
    await leases.start();
    await until(() => taken.length > 0, 'the inbox is taken over');
    expect(leases.held[0]?.epoch).toBe(1_000_001);
    const durables = (await bus.jsm.consumers.list('INBOX').next()).map(({ name }) => name);
    expect(durables).toEqual(['p0-e1000001']);
    await taken[0]?.stop();
  });

  describe('inbox', () => {
    const runs = ['r1', 'r2', 'r3'];
    const answers = (first: number, count: number) =>
      Array.from({ length: count }, (_, n) =>
        event(`inbox.1.runtime.stage.completed.ws.${runs[n % runs.length]}.eff`, `a-${first + n}`),
      ).map((message) => ({ ...message, headers: { ...message.headers, type: 'runtime.stage.completed' } }));
    /** A lease whose validity the test controls. */
    const verifier = (holds: () => boolean) => ({ verify: async () => holds() });
    const lease = (epoch: number): Lease & { end(): void } => {
      const abort = new AbortController();
      return { ...leaseOf(1, epoch), signal: abort.signal, end: () => abort.abort() };
    };

    it('goes to the new owner completely while the former one still pulls', async () => {
      const seenByFormerOwner: string[] = [];
      const seenByNewOwner: string[] = [];
      const former = lease(7);
      const formerOwner = await consumeInbox(await fixture.connect('formerOwner'), {
        lease: former,
        leases: verifier(() => true),
        concurrency: 8,
        handler: (message) => {
          seenByFormerOwner.push(message.msgId);
          return new Promise(() => {});
        },
      });
      const publisher = new OrderedPublisher(bus);
      await publisher.publishAll(answers(0, 6));
      await until(() => seenByFormerOwner.length === 3, 'the former owner is handling one message of each run');
      const owner = await consumeInbox(bus, {
        lease: lease(9),
        leases: verifier(() => true),
        concurrency: 16,
        handler: async (message) => {
          seenByNewOwner.push(message.msgId);
        },
      });
      await publisher.publishAll(answers(6, 30));
      await until(() => seenByNewOwner.length === 36, 'the new owner has them all');
      expect(await formerOwner.closed).toBe('consumer_gone');
      expect([seenByFormerOwner.length, new Set(seenByNewOwner).size]).toEqual([3, 36]);
      for (const index of runs.keys()) {
        const sequence = seenByNewOwner
          .filter((id) => Number(id.slice(2)) % runs.length === index)
          .map((id) => Number(id.slice(2)));
        expect(sequence).toEqual([...sequence].sort((a, b) => a - b));
      }
      await owner.stop();
      await until(async () => (await bus.jsm.streams.info('INBOX')).state.messages === 0, 'all are acknowledged');
    });

    it('rejects a former owner that wakes up', async () => {
      const owner = await consumeInbox(bus, {
        lease: lease(9),
        leases: verifier(() => true),
        concurrency: 1,
        handler: () => {},
      });
      const formerOwner = { lease: lease(7), concurrency: 1, handler: () => {} };
      // It still believes that it holds the lease, then learns that it does not.
      let checks = 0;
      await expect(consumeInbox(bus, { ...formerOwner, leases: verifier(() => checks++ < 1) })).rejects.toMatchObject({
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
        leases: verifier(() => true),
        concurrency: 1,
        handler: () => {},
      });
      owned.end();
      expect(await consumption.closed).toBe('stopped');
    });
  });
});
