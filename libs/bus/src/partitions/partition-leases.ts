import { randomUUID } from 'node:crypto';
import { fnv1a32, type JsonObject } from '@reins/contracts';
import type { Bus } from '../connection/bus.ts';
import { errorText } from '../consume/error-text.ts';
import { openBucket, type TypedBucket } from '../kv/bucket.ts';
import type { Entry } from '../kv/entry.ts';
import { PresenceRecords } from '../kv/presence-records.ts';
import type { Watch } from '../kv/watch.ts';
import { HeldLease, type Lease, type LeaseValue } from './lease.ts';
import { fairShare, preferred } from './share.ts';

export interface LeaseCallbacks {
  /** Called when this replica has acquired the partition. */
  readonly won: (lease: Lease) => void | Promise<void>;
  /** Called to hand the partition over: finish running work, then resolve. The partition is released after that. */
  readonly handover: (lease: Lease) => void | Promise<void>;
  /** Called when the lease is lost: drop everything, append nothing. */
  readonly lost: (lease: Lease) => void;
}

export interface PartitionLeasesOptions {
  readonly replica: string;
  readonly partitions: number;
  readonly ttlMs?: number;
  readonly callbacks: LeaseCallbacks;
  /** What this replica reports of its host, with its presence. */
  readonly about?: JsonObject;
}

const TTL_MS = 3_000;
/** Renewals per TTL, and the share of the TTL after which the holder gives up a lease that was not renewed. */
const RENEWALS = 3;
const SAFETY_SHARE = 0.8;
/** A key that was not renewed for this many TTLs is stale, even if the server has not removed it. */
const STALE_AFTER_TTLS = 2;

const partitionKey = (partition: number): string => `p.${partition}`;
const replicaKey = (owner: string): string => `replica.${owner}`;

/** What the replicas that are present report of their hosts. */
export async function readReplicas(bus: Bus): Promise<readonly JsonObject[]> {
  const bucket = await openBucket<LeaseValue>(bus, 'leases');
  const keys = (await bucket.keys()).filter((key) => key.startsWith(replicaKey('')));
  const entries = await Promise.all(keys.map((key) => bucket.get(key)));
  return entries.flatMap((entry) => (entry?.value.about ? [entry.value.about] : []));
}

/**
 * Keeps this replica's share of the partitions: acquires free ones, renews its own and hands over surplus ones. The
 * lease decides who should act; the compare-and-set of the journal prevents others from acting.
 */
export class PartitionLeases {
  readonly #bus: Bus;
  readonly #options: PartitionLeasesOptions;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #start: number;
  readonly #held = new Map<number, HeldLease>();
  readonly #owners = new Map<number, string>();
  readonly #replicas: PresenceRecords<string>;
  readonly #leased: PresenceRecords<number>;
  #bucket: TypedBucket<LeaseValue> | undefined;
  #watch: Watch | undefined;
  #unwatch: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #balancing: Promise<void> | undefined;
  #rebalance = false;
  #stopped = false;

  constructor(bus: Bus, options: PartitionLeasesOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#ttlMs = options.ttlMs ?? TTL_MS;
    this.#replicas = new PresenceRecords(STALE_AFTER_TTLS * this.#ttlMs);
    this.#leased = new PresenceRecords(STALE_AFTER_TTLS * this.#ttlMs);
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

  /** Verifies with the bucket's leader that this lease is still held. */
  async verify(lease: Lease): Promise<boolean> {
    const held = this.#held.get(lease.partition);
    if (!held || held.epoch !== lease.epoch || !held.valid) return false;
    const entry = await this.#leases.get(partitionKey(lease.partition));
    return entry?.value.owner === this.#owner && held.valid && this.#held.get(lease.partition) === held;
  }

  /** Hands over all partitions and leaves. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    await this.#balancing;
    await Promise.all([...this.#held.values()].map((lease) => this.#handOver(lease)));
    clearInterval(this.#timer);
    this.#unwatch?.();
    this.#watch?.stop();
    await this.#leases.delete(replicaKey(this.#owner)).catch(() => false);
  }

  /** The connection is closed for good: leases can be neither renewed nor handed over. */
  #abandon(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const lease of this.#held.values()) this.#lose(lease, 'connection closed');
  }

  get #leases(): TypedBucket<LeaseValue> {
    if (!this.#bucket) throw new TypeError('call start() first');
    return this.#bucket;
  }

  #onChange(key: string, entry: Entry<LeaseValue> | undefined): void {
    const partition = /^p\.(\d+)$/.exec(key)?.[1];
    if (partition === undefined) {
      const known = this.#replicas.has(key);
      if (entry) this.#replicas.observe(key, entry.revision);
      else this.#replicas.forget(key);
      if (known === (entry !== undefined)) return;
    } else if (entry) {
      this.#owners.set(Number(partition), entry.value.owner);
      this.#leased.observe(Number(partition), entry.revision);
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
      else this.#lose(lease, 'not renewed in time');
    }
    if (!this.#stopped)
      void this.#announce().catch((error) =>
        this.#bus.log.warn({ error: errorText(error) }, 'presence announcement failed'),
      );
    this.#balanceSoon();
  }

  /** Announces this replica to the others. */
  async #announce(): Promise<void> {
    const { about } = this.#options;
    await this.#leases.put(replicaKey(this.#owner), { owner: this.#owner, ...(about && { about }) }, this.#ttlMs);
  }

  async #renew(lease: HeldLease): Promise<void> {
    const requestedAt = performance.now();
    try {
      const revision = await this.#leases.update(
        partitionKey(lease.partition),
        this.#value,
        lease.revision,
        this.#ttlMs,
      );
      if (revision === undefined) await this.#renewalRefused(lease);
      else if (!lease.renewed(revision, requestedAt)) this.#lose(lease, 'not renewed in time');
    } catch (error) {
      // The outcome is unknown. The clock decides whether there is time for another attempt.
      this.#bus.log.debug({ partition: lease.partition, error: errorText(error) }, 'lease renewal unanswered');
    }
  }

  /** The revision changed: by an earlier renewal of this process whose reply was lost, or by a new owner. */
  async #renewalRefused(lease: HeldLease): Promise<void> {
    const entry = await this.#leases.get(partitionKey(lease.partition));
    if (!this.#holds(lease)) return;
    if (entry?.value.owner !== this.#owner) this.#lose(lease, 'held by another replica');
    // The time that renewal was sent is unknown, so it does not extend the lease; the next one will.
    else lease.revision = Math.max(lease.revision, entry.revision);
  }

  #lose(lease: HeldLease, reason: string): void {
    if (!this.#holds(lease)) return;
    this.#held.delete(lease.partition);
    lease.abort();
    this.#bus.log.warn({ partition: lease.partition, epoch: lease.epoch, reason }, 'partition lost');
    this.#options.callbacks.lost(lease);
  }

  #holds(lease: HeldLease): boolean {
    return this.#held.get(lease.partition) === lease;
  }

  /** Runs one round of balancing at a time. Changes during a round trigger another one. */
  #balanceSoon(): void {
    if (this.#stopped) return;
    if (this.#balancing) {
      this.#rebalance = true;
      return;
    }
    this.#balancing = this.#balance()
      .catch((error) => this.#bus.log.warn({ error: errorText(error) }, 'partition balancing failed'))
      .finally(() => {
        this.#balancing = undefined;
        if (this.#rebalance) this.#balanceSoon();
        this.#rebalance = false;
      });
  }

  /** Removes replicas that died while the server was unable to expire their keys. */
  #dropStale(): void {
    for (const key of [...this.#replicas.keys]) {
      if (key === replicaKey(this.#owner) || !this.#replicas.isStale(key)) continue;
      this.#bus.log.warn({ key }, 'stale replica removed');
      const revision = this.#replicas.revision(key);
      this.#replicas.forget(key);
      // Only at this revision: a live replica has renewed it since.
      void this.#leases.delete(key, revision).catch(() => false);
    }
  }

  async #balance(): Promise<void> {
    const { partitions } = this.#options;
    this.#dropStale();
    const share = fairShare(partitions, this.#replicas.size);
    const staying = [...this.#held.values()].filter((lease) => !lease.handingOver);
    for (const lease of staying.slice(share)) void this.#handOver(lease);
    const all = Array.from({ length: partitions }, (_, partition) => partition);
    const free = all.filter((partition) => !this.#held.has(partition) && !this.#isHeldByOther(partition));
    for (const partition of preferred(free, partitions, this.#start)) {
      if (this.#stopped || this.#held.size >= share) return;
      await this.#tryAcquire(partition);
    }
  }

  /**
   * Whether another replica holds the partition. A key with our owner id but no lease is one that we lost by our own
   * clock. We may acquire it again under a new epoch.
   */
  #isHeldByOther(partition: number): boolean {
    const owner = this.#owners.get(partition);
    return owner !== undefined && owner !== this.#owner && !this.#leased.isStale(partition);
  }

  async #tryAcquire(partition: number): Promise<void> {
    const requestedAt = performance.now();
    const revision = await this.#claim(partition);
    if (revision === undefined) return;
    const verify = (held: Lease) => this.verify(held);
    const lease = new HeldLease(partition, revision, { validForMs: this.#ttlMs * SAFETY_SHARE, requestedAt, verify });
    this.#held.set(partition, lease);
    this.#owners.set(partition, this.#owner);
    this.#bus.log.info({ partition, epoch: lease.epoch }, 'partition acquired');
    // Not awaited: starting the partition must not delay the renewals of the others.
    const taken = (async () => this.#options.callbacks.won(lease))();
    taken.catch((error) => {
      // A handover interrupts the start of the owner. That is not a failure.
      if (lease.handingOver || lease.signal.aborted) return;
      this.#bus.log.error({ partition, error: errorText(error) }, 'partition start failed');
      this.#lose(lease, 'partition start failed');
    });
  }

  async #claim(partition: number): Promise<number | undefined> {
    const key = partitionKey(partition);
    const staleRevision = this.#leased.isStale(partition) ? this.#leased.revision(partition) : undefined;
    // A live owner has renewed the key since, and keeps it.
    if (staleRevision !== undefined) return this.#leases.update(key, this.#value, staleRevision, this.#ttlMs);
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
      await this.#options.callbacks.handover(lease);
    } catch (error) {
      this.#bus.log.error({ partition: lease.partition, error: errorText(error) }, 'partition handover failed');
    }
    // The lease stays in `#held` until its key is deleted, so that this replica does not acquire the partition again.
    lease.abort();
    await this.#release(lease).catch((error) => {
      this.#bus.log.debug({ error: errorText(error) }, 'lease release failed; it will expire');
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
