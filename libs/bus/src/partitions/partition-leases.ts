import { randomUUID } from 'node:crypto';
import { fnv1a32 } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { textOf } from '../consume/text-of.ts';
import { openBucket, type TypedBucket } from '../kv/bucket.ts';
import type { Entry } from '../kv/entry.ts';
import { Sightings } from '../kv/sightings.ts';
import type { Watch } from '../kv/watch.ts';
import { HeldLease, type Lease, type LeaseValue } from './lease.ts';
import { fairShare, preferred } from './share.ts';

export interface LeaseHandlers {
  /** The partition is ours from now on. */
  readonly won: (lease: Lease) => void | Promise<void>;
  /** Asked to give it up: finish what runs, then resolve; only then is it free for the next owner. */
  readonly handover: (lease: Lease) => void | Promise<void>;
  /** It is gone already: drop everything, append nothing. */
  readonly lost: (lease: Lease) => void;
}

export interface PartitionLeasesOptions {
  readonly replica: string;
  readonly partitions: number;
  readonly ttlMs?: number;
  readonly handlers: LeaseHandlers;
}

const TTL_MS = 3_000;
/** A lease is renewed this often within its life, and given up by its own holder this much before the server does. */
const RENEWALS = 3;
const SAFETY_SHARE = 0.8;
/** What was not renewed for so many lives is dead, whether or not the server has removed its key. */
const SILENT_LIVES = 2;

const partitionKey = (partition: number): string => `p.${partition}`;
const replicaKey = (owner: string): string => `replica.${owner}`;

/**
 * Keeps this replica's share of the partitions: wins free ones, renews its own, hands over what is more than its share.
 * The lease says who should act; the compare-and-set of the journal is what keeps others from acting.
 */
export class PartitionLeases {
  readonly #bus: Bus;
  readonly #options: PartitionLeasesOptions;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #start: number;
  readonly #held = new Map<number, HeldLease>();
  readonly #owners = new Map<number, string>();
  readonly #replicas: Sightings<string>;
  readonly #leased: Sightings<number>;
  #bucket: TypedBucket<LeaseValue> | undefined;
  #watch: Watch | undefined;
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #again = false;
  #stopped = false;

  constructor(bus: Bus, options: PartitionLeasesOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    this.#replicas = new Sightings(SILENT_LIVES * this.#ttlMs);
    this.#leased = new Sightings(SILENT_LIVES * this.#ttlMs);
    this.#owner = `${options.replica}-${randomUUID().slice(0, 8)}`;
    this.#start = fnv1a32(this.#owner) % options.partitions;
  }

  get held(): readonly Lease[] {
    return [...this.#held.values()].filter((lease) => !lease.signal.aborted);
  }

  async start(): Promise<void> {
    this.#bucket = await openBucket<LeaseValue>(this.#bus, 'leases');
    await this.#announce();
    this.#watch = await this.#bucket.watch({}, (key, entry) => this.#onChange(key, entry));
    await this.#watch.current;
    this.#timer = setInterval(() => this.#tick(), this.#ttlMs / RENEWALS);
    this.#unwatch = this.#bus.onState((state) => {
      if (state === 'closed') this.#abandon();
    });
    this.#tick();
  }

  /** Asks the bucket's leader whether this very lease still stands. */
  async verify(lease: Lease): Promise<boolean> {
    const held = this.#held.get(lease.partition);
    if (!held || held.epoch !== lease.epoch || !held.valid) return false;
    const entry = await this.#leases.get(partitionKey(lease.partition));
    return entry?.value.owner === this.#owner && held.valid && this.#held.get(lease.partition) === held;
  }

  /** Hands everything over and leaves. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#round;
    await Promise.all([...this.#held.values()].map((lease) => this.#handOver(lease)));
    clearInterval(this.#timer);
    this.#unwatch?.();
    this.#watch?.stop();
    await this.#leases.delete(replicaKey(this.#owner)).catch(() => false);
  }

  /** The connection is closed for good: nothing can be renewed or handed over any more. */
  #abandon(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const lease of this.#held.values()) this.#lose(lease, 'the connection is closed');
  }

  get #leases(): TypedBucket<LeaseValue> {
    if (!this.#bucket) throw new TypeError('start() comes first');
    return this.#bucket;
  }

  #onChange(key: string, entry: Entry<LeaseValue> | undefined): void {
    const partition = /^p\.(\d+)$/.exec(key)?.[1];
    if (partition === undefined) {
      const known = this.#replicas.has(key);
      if (entry) this.#replicas.saw(key, entry.revision);
      else this.#replicas.forget(key);
      if (known === (entry !== undefined)) return;
    } else if (entry) {
      this.#owners.set(Number(partition), entry.value.owner);
      this.#leased.saw(Number(partition), entry.revision);
      return;
    } else {
      this.#owners.delete(Number(partition));
      this.#leased.forget(Number(partition));
    }
    this.#balanceSoon();
  }

  #tick(): void {
    for (const lease of this.#held.values()) {
      if (lease.signal.aborted) continue;
      if (lease.valid) lease.renewal = this.#renew(lease);
      else this.#lose(lease, 'it was not renewed in time');
    }
    if (!this.#stopped)
      void this.#announce().catch((error) => this.#bus.log.warn({ error: textOf(error) }, 'cannot announce'));
    this.#balanceSoon();
  }

  /** Tells the other replicas that this one lives. */
  async #announce(): Promise<void> {
    await this.#leases.put(replicaKey(this.#owner), { owner: this.#owner }, this.#ttlMs);
  }

  async #renew(lease: HeldLease): Promise<void> {
    const asked = performance.now();
    try {
      const revision = await this.#leases.update(
        partitionKey(lease.partition),
        this.#value,
        lease.revision,
        this.#ttlMs,
      );
      if (revision !== undefined) return lease.renewed(revision, asked);
      await this.#renewalRefused(lease);
    } catch (error) {
      // Unknown: the clock decides whether there is time for another try.
      this.#bus.log.debug({ partition: lease.partition, error: textOf(error) }, 'renewal without an answer');
    }
  }

  /** The revision moved on: by a renewal of our own whose answer was lost, or by a new owner. */
  async #renewalRefused(lease: HeldLease): Promise<void> {
    const entry = await this.#leases.get(partitionKey(lease.partition));
    if (!this.#holds(lease)) return;
    if (entry?.value.owner !== this.#owner) this.#lose(lease, 'another replica has it');
    // When that renewal was sent is not known, so the lease does not live longer for it; the next one will do.
    else lease.revision = Math.max(lease.revision, entry.revision);
  }

  #lose(lease: HeldLease, reason: string): void {
    if (!this.#holds(lease)) return;
    this.#held.delete(lease.partition);
    lease.end();
    this.#bus.log.warn({ partition: lease.partition, epoch: lease.epoch, reason }, 'partition lost');
    this.#options.handlers.lost(lease);
  }

  #holds(lease: HeldLease): boolean {
    return this.#held.get(lease.partition) === lease;
  }

  /** One round of balancing at a time; what changes meanwhile is looked at in the next. */
  #balanceSoon(): void {
    if (this.#stopped) return;
    if (this.#round) {
      this.#again = true;
      return;
    }
    this.#round = this.#balance()
      .catch((error) => this.#bus.log.warn({ error: textOf(error) }, 'cannot balance the partitions'))
      .finally(() => {
        this.#round = undefined;
        if (this.#again) this.#balanceSoon();
        this.#again = false;
      });
  }

  /** Replicas that died while the server could not see to it that their keys expire. */
  #dropGhosts(): void {
    for (const key of [...this.#replicas.keys]) {
      if (key === replicaKey(this.#owner) || !this.#replicas.isGhost(key)) continue;
      this.#bus.log.warn({ key }, 'a replica has been silent for too long; it counts no more');
      const revision = this.#replicas.revision(key);
      this.#replicas.forget(key);
      // Only if it is still silent: one that lives has a newer revision.
      void this.#leases.delete(key, revision).catch(() => false);
    }
  }

  async #balance(): Promise<void> {
    const { partitions } = this.#options;
    this.#dropGhosts();
    const share = fairShare(partitions, this.#replicas.size);
    const staying = [...this.#held.values()].filter((lease) => !lease.handingOver);
    for (const lease of staying.slice(share)) void this.#handOver(lease);
    const all = Array.from({ length: partitions }, (_, partition) => partition);
    const free = all.filter((partition) => !this.#held.has(partition) && !this.#isTaken(partition));
    for (const partition of preferred(free, partitions, this.#start)) {
      if (this.#stopped || this.#held.size >= share) return;
      await this.#tryWin(partition);
    }
  }

  /** A key with our own mark but no lease is one that we lost by our own clock: ours to win again under a new epoch. */
  #isTaken(partition: number): boolean {
    const owner = this.#owners.get(partition);
    return owner !== undefined && owner !== this.#owner && !this.#leased.isGhost(partition);
  }

  async #tryWin(partition: number): Promise<void> {
    const asked = performance.now();
    const revision = await this.#claim(partition);
    if (revision === undefined) return;
    const lease = new HeldLease(partition, revision, this.#ttlMs * SAFETY_SHARE, asked);
    this.#held.set(partition, lease);
    this.#owners.set(partition, this.#owner);
    this.#bus.log.info({ partition, epoch: lease.epoch }, 'partition won');
    // Not awaited: what the owner does with it must not hold up the renewals of the others.
    const taken = (async () => this.#options.handlers.won(lease))();
    taken.catch((error) => {
      // A handover interrupts the start of the owner. That is not a failure.
      if (lease.handingOver || lease.signal.aborted) return;
      this.#bus.log.error({ partition, error: textOf(error) }, 'a partition that was won cannot be worked on');
      this.#lose(lease, 'its owner failed to take it up');
    });
  }

  async #claim(partition: number): Promise<number | undefined> {
    const key = partitionKey(partition);
    const silent = this.#leased.isGhost(partition) ? this.#leased.revision(partition) : undefined;
    // An owner that lives has renewed it since, and keeps it.
    if (silent !== undefined) return this.#leases.update(key, this.#value, silent, this.#ttlMs);
    if (this.#owners.get(partition) !== this.#owner) return this.#leases.create(key, this.#value, this.#ttlMs);
    const entry = await this.#leases.get(key);
    if (!entry) return this.#leases.create(key, this.#value, this.#ttlMs);
    if (entry.value.owner !== this.#owner) return undefined;
    return this.#leases.update(key, this.#value, entry.revision, this.#ttlMs);
  }

  async #handOver(lease: HeldLease): Promise<void> {
    if (lease.handingOver) return;
    lease.handingOver = true;
    try {
      await this.#options.handlers.handover(lease);
    } catch (error) {
      this.#bus.log.error({ partition: lease.partition, error: textOf(error) }, 'handing over a partition failed');
    }
    // Until its key is gone it stays among the held ones, so that no other lease of the partition is won here
    // meanwhile.
    lease.end();
    await this.#release(lease).catch((error) => {
      this.#bus.log.debug({ error: textOf(error) }, 'cannot release a lease; it will expire');
    });
    if (this.#holds(lease)) this.#held.delete(lease.partition);
  }

  async #release(lease: HeldLease): Promise<void> {
    await lease.renewal;
    if (!this.#holds(lease)) return;
    await this.#leases.delete(partitionKey(lease.partition), lease.revision);
    this.#bus.log.info({ partition: lease.partition, epoch: lease.epoch }, 'partition handed over');
  }

  get #value(): LeaseValue {
    return { owner: this.#owner };
  }
}
