import type { Lease, LeaseVerifier } from '@reins/bus';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';

const TTL_MS = 3_000;
/** After the faults: longer leases, and fewer steps to simulate. */
const FAULT_FREE_TTL_MS = 60_000;
/** Renewals per TTL. */
const RENEWALS = 3;
/** The holder considers its lease expired after this share of the TTL. */
const SAFETY_SHARE = 0.8;
/** Confirmations that are late arrive, mostly, when the lease is not valid any more and not given up yet. */
const LATE_MS = [1_500, 2_900] as const;

/** A lease that this machine believes to hold. */
export class SimulatedLease implements Lease {
  readonly partition: number;
  epoch: number;
  revision: number;
  handingOver = false;
  readonly #verify: (lease: Lease) => Promise<boolean>;
  readonly #machine: Machine;
  readonly #abort = new AbortController();
  #validUntil: number;

  constructor(
    machine: Machine,
    partition: number,
    revision: number,
    { validUntil, verify }: { readonly validUntil: number; readonly verify: (lease: Lease) => Promise<boolean> },
  ) {
    this.#machine = machine;
    this.#verify = verify;
    this.partition = partition;
    this.epoch = revision;
    this.revision = revision;
    this.#validUntil = validUntil;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get valid(): boolean {
    if (!this.#machine.alive || this.signal.aborted) return false;
    return this.#machine.monotonic() < this.#validUntil;
  }

  /** Returns false if the lease has expired meanwhile, which is final. */
  renewed(revision: number, validUntil: number): boolean {
    if (!this.valid) return false;
    this.revision = revision;
    this.#validUntil = validUntil;
    return true;
  }

  async raiseEpoch(above: number): Promise<void> {
    if (this.epoch > above || !(await this.#verify(this))) return;
    this.epoch = Math.max(this.epoch, above + 1);
    this.#machine.trace.line(this.#machine.name, () => `raises the epoch of ${this.partition} to ${this.epoch}`);
  }

  end(): void {
    this.#abort.abort();
  }
}

export interface LeaseKeeperOptions {
  readonly partitions: number;
  /** Maximum number of partitions for this machine, given the number of machines. */
  readonly share: () => number;
  /** Whether the faults have ended. Leases are longer then. */
  readonly isFaultFree: () => boolean;
  readonly won: (lease: Lease) => Promise<void>;
  readonly handover: (lease: Lease) => Promise<void>;
  readonly lost: (lease: Lease) => void;
}

/** Stands in for `PartitionLeases` of `@reins/bus`: wins and renews leases, and releases what exceeds the share. */
export class LeaseKeeper implements LeaseVerifier {
  readonly #machine: Machine;
  readonly #server: Server;
  readonly #options: LeaseKeeperOptions;
  readonly #held = new Map<number, SimulatedLease>();
  /** No renewal is confirmed before this time. */
  #confirmsAt = 0;

  constructor(machine: Machine, server: Server, options: LeaseKeeperOptions) {
    this.#machine = machine;
    this.#server = server;
    this.#options = options;
  }

  start(): void {
    this.#tick();
  }

  async verify(lease: Lease): Promise<boolean> {
    const held = this.#held.get(lease.partition);
    if (!held || held.epoch !== lease.epoch || !held.valid) return false;
    const { name } = this.#machine;
    const holder = await this.#machine.call('verify lease', () => this.#server.leases.holder(lease.partition));
    return holder?.owner === name && held.valid && this.#held.get(lease.partition) === held;
  }

  #tick(): void {
    const { partitions, share } = this.#options;
    this.#machine.after(this.#ttlMs / RENEWALS, () => this.#tick());
    for (const lease of [...this.#held.values()]) {
      if (lease.signal.aborted) continue;
      if (!lease.valid) this.lose(lease, 'it was not renewed in time');
      else void this.#renew(lease);
    }
    const staying = [...this.#held.values()].filter(({ handingOver }) => !handingOver);
    for (const lease of staying.slice(share())) void this.#handOver(lease);
    for (let partition = 0; partition < partitions && this.#held.size < share(); partition += 1) {
      const holder = this.#server.leases.holder(partition);
      if (!this.#held.has(partition) && (!holder || holder.owner === this.#machine.name)) void this.#win(partition);
    }
  }

  get #ttlMs(): number {
    return this.#options.isFaultFree() ? FAULT_FREE_TTL_MS : TTL_MS;
  }

  async #win(partition: number): Promise<void> {
    const ttlMs = this.#ttlMs;
    const validUntil = this.#machine.monotonic() + ttlMs * SAFETY_SHARE;
    const { name, trace } = this.#machine;
    const revision = await this.#machine
      .call('win lease', () => this.#server.leases.win(partition, name, ttlMs))
      .catch(() => undefined);
    if (revision === undefined || this.#held.has(partition)) return;
    const lease = new SimulatedLease(this.#machine, partition, revision, {
      validUntil,
      verify: (held) => this.verify(held),
    });
    this.#held.set(partition, lease);
    trace.line(name, () => `wins partition ${partition} with epoch ${revision}`);
    await this.#options.won(lease).catch((error) => this.lose(lease, `the takeover failed: ${error}`));
  }

  async #renew(lease: SimulatedLease): Promise<void> {
    const ttlMs = this.#ttlMs;
    const validUntil = this.#machine.monotonic() + ttlMs * SAFETY_SHARE;
    const { faults, name, random, scheduler } = this.#machine;
    if (this.#confirmsAt < scheduler.now && random.chance(faults.lateRenewals))
      this.#confirmsAt = scheduler.now + random.between(...LATE_MS);
    try {
      const revision = await this.#machine.call('renew lease', () =>
        this.#server.leases.renew(lease.partition, name, lease.revision, ttlMs),
      );
      const lateMs = this.#confirmsAt - scheduler.now;
      if (lateMs > 0) await new Promise<void>((resolve) => this.#machine.after(lateMs, resolve));
      if (revision !== undefined) {
        if (!lease.renewed(revision, validUntil)) this.lose(lease, 'it was not renewed in time');
        return;
      }
      const holder = await this.#machine.call('read lease', () => this.#server.leases.holder(lease.partition));
      if (this.#held.get(lease.partition) !== lease) return;
      if (holder?.owner !== name) this.lose(lease, 'another machine holds it');
      else lease.revision = Math.max(lease.revision, holder.revision);
    } catch {
      // Unknown outcome: retried while the lease is valid by our clock.
    }
  }

  lose(lease: Lease, reason: string): void {
    const held = this.#held.get(lease.partition);
    if (held?.epoch !== lease.epoch) return;
    this.#machine.trace.line(this.#machine.name, () => `loses partition ${lease.partition}: ${reason}`);
    this.#held.delete(lease.partition);
    held.end();
    this.#options.lost(lease);
  }

  async #handOver(lease: SimulatedLease): Promise<void> {
    lease.handingOver = true;
    this.#machine.trace.line(this.#machine.name, () => `releases partition ${lease.partition}`);
    await this.#options.handover(lease);
    lease.end();
    await this.#machine
      .call('release lease', () => this.#server.leases.release(lease.partition, lease.revision))
      .catch(() => {});
    if (this.#held.get(lease.partition) === lease) this.#held.delete(lease.partition);
  }
}
