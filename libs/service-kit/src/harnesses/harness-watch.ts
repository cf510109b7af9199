import { type Bus, type Entry, openBucket, PresenceRecords, type TypedBucket, type Watch } from '@reins/bus';
import { type HarnessOffer, OFFER_TTL_MS } from '@reins/contracts';

/** An offer that was not renewed for this many TTLs is stale, even if the server has not removed it. */
const STALE_AFTER_TTLS = 2;

/** Offers are renewed three times per TTL. Without one for longer than this, it is unknown what the hosts did. */
const KNOWN_FOR_TTLS = 2 / 3;

/** A time without a break in which the hosts of a runtime were seen idle, by `performance.now()`. */
interface IdleTime {
  readonly since: number;
  readonly until: number;
}

/** The current offers of harness hosts, from a watch on the `harnesses` bucket. */
export class HarnessWatch {
  readonly #bucket: TypedBucket<HarnessOffer>;
  readonly #offers = new Map<string, HarnessOffer>();
  readonly #presence: PresenceRecords<string>;
  /** Runtimes that a healthy, live host has offered since the watch started. */
  readonly #seen = new Set<string>();
  /** By runtime. */
  readonly #idle = new Map<string, IdleTime>();
  readonly #ttlMs: number;
  readonly #timer: NodeJS.Timeout;
  readonly #unfollow: () => void;
  #watch: Watch | undefined;

  private constructor(bus: Bus, bucket: TypedBucket<HarnessOffer>, ttlMs: number) {
    this.#bucket = bucket;
    this.#ttlMs = ttlMs;
    // What the hosts do while the connection is lost is unknown.
    this.#unfollow = bus.onState(() => this.#idle.clear());
    this.#presence = new PresenceRecords(STALE_AFTER_TTLS * ttlMs);
    this.#timer = setInterval(() => this.#dropStale(), ttlMs).unref();
  }

  /** Starts the watch. Resolves when the current offers are known. */
  static async start(bus: Bus, ttlMs: number = OFFER_TTL_MS): Promise<HarnessWatch> {
    const watch = new HarnessWatch(bus, await openBucket<HarnessOffer>(bus, 'harnesses'), ttlMs);
    watch.#watch = await watch.#bucket.watch({}, (key, entry) => watch.#changed(key, entry));
    await watch.#watch.current;
    return watch;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unfollow();
    this.#watch?.stop();
  }

  /** The offers of live hosts. */
  get offers(): readonly HarnessOffer[] {
    return [...this.#offers].flatMap(([key, offer]) => (this.#presence.isStale(key) ? [] : [offer]));
  }

  /** The capabilities of a runtime as named in its offer; empty while no host offers it. */
  capabilitiesOf(runtimeId: string): readonly string[] {
    return this.#offersOf(runtimeId)[0]?.capabilities ?? [];
  }

  /** The runtimes that healthy hosts offer, sorted. */
  get healthyRuntimes(): string[] {
    const healthy = [...this.#offers].filter(([key, offer]) => offer.healthy && !this.#presence.isStale(key));
    return [...new Set(healthy.map(([, { runtimeId }]) => runtimeId))].toSorted();
  }

  /**
   * Lists the runtimes that no healthy host has offered yet, each with the reason.
   * Returns undefined when every runtime was offered at least once. A host that disappeared since is expected to
   * return, and work waits for it.
   */
  unavailableReason(runtimeIds: Iterable<string>): string | undefined {
    const unseen = [...new Set(runtimeIds)].filter((id) => !this.wasOffered(id));
    if (unseen.length === 0) return undefined;
    // One provider may be the reason for all of them.
    const byReason = Map.groupBy(unseen, (id) => this.#unhealthyReason(id));
    return [...byReason].map(([reason, ids]) => reasonText(ids, reason)).join('; ');
  }

  /**
   * How long healthy hosts of the runtime were seen with free slots and without taking a stage, during the last
   * `periodMs`. It grows only with offers that arrive. So it is 0 while there is no host, and while the connection is
   * lost.
   */
  idleMs(runtimeId: string, periodMs: number): number {
    const idle = this.#idle.get(runtimeId);
    if (!idle || this.slotsOf(runtimeId) === 0) return 0;
    return Math.max(0, idle.until - Math.max(idle.since, performance.now() - periodMs));
  }

  /** The slots of the live, healthy hosts of a runtime. */
  slotsOf(runtimeId: string): number {
    return this.#offersOf(runtimeId).reduce((sum, { healthy, slots }) => (healthy ? sum + slots : sum), 0);
  }

  /** Whether a healthy host offers the runtime, or has offered it since the watch started. */
  wasOffered(runtimeId: string): boolean {
    return this.#seen.has(runtimeId) || this.#offersOf(runtimeId).some(({ healthy }) => healthy);
  }

  #changed(key: string, entry: Entry<HarnessOffer> | undefined): void {
    const before = this.#offers.get(key);
    // Renewing or withdrawing an offer proves that the host was alive.
    if (before?.healthy && !this.#presence.isStale(key)) this.#seen.add(before.runtimeId);
    if (entry) {
      this.#observeLoad(entry.value, before);
      this.#offers.set(key, entry.value);
      this.#presence.observe(key, entry.revision);
    } else this.#forget(key);
  }

  /** The time before the first offer of a host is unknown. The host may have been busy, or absent. */
  #observeLoad(offer: HarnessOffer, before: HarnessOffer | undefined): void {
    const { healthy, runtimeId } = offer;
    if (!healthy) return;
    const now = performance.now();
    const idle = this.#idle.get(runtimeId);
    const isKnown = before?.healthy && idle !== undefined && now - idle.until <= this.#ttlMs * KNOWN_FOR_TTLS;
    if (isBusy(offer, before)) this.#idle.delete(runtimeId);
    else this.#idle.set(runtimeId, { since: isKnown ? idle.since : now, until: now });
  }

  /** Removes offers of hosts that died while the server was unable to expire their keys. */
  #dropStale(): void {
    for (const key of [...this.#presence.keys]) {
      if (!this.#presence.isStale(key)) continue;
      const revision = this.#presence.revision(key);
      this.#forget(key);
      // Delete only this revision: the host may have come back and renewed the offer.
      void this.#bucket.delete(key, revision).catch(() => false);
    }
  }

  #forget(key: string): void {
    this.#offers.delete(key);
    this.#presence.forget(key);
  }

  #unhealthyReason(runtimeId: string): string | undefined {
    return this.#offersOf(runtimeId).find(({ reason }) => reason)?.reason;
  }

  #offersOf(runtimeId: string): HarnessOffer[] {
    return this.offers.filter((offer) => offer.runtimeId === runtimeId);
  }
}

function reasonText(ids: readonly string[], unhealthy: string | undefined): string {
  const named = `runtime${ids.length === 1 ? '' : 's'} ${ids.join(', ')}`;
  if (unhealthy === undefined) return `no harness host offers ${named}`;
  return `${named} ${ids.length === 1 ? 'is' : 'are'} not healthy: ${unhealthy}`;
}

/** Whether work waits for this host: it has no free slot, or it has taken a stage since its last offer. */
function isBusy(offer: HarnessOffer, before: HarnessOffer | undefined): boolean {
  const { slots, slotsInUse, stagesTaken = 0 } = offer;
  // A host of an earlier version does not report its load.
  if (slotsInUse === undefined) return true;
  return slotsInUse >= slots || (before !== undefined && stagesTaken !== before.stagesTaken);
}
