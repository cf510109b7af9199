import { type Bus, type Entry, openBucket, PresenceRecords, type TypedBucket, type Watch } from '@reins/bus';
import { type HarnessOffer, OFFER_TTL_MS } from '@reins/contracts';

/** An offer that was not renewed for this many TTLs is stale, even if the server has not removed it. */
const STALE_AFTER_TTLS = 2;

/** The current offers of harness hosts, from a watch on the `harnesses` bucket. */
export class HarnessWatch {
  readonly #bucket: TypedBucket<HarnessOffer>;
  readonly #offers = new Map<string, HarnessOffer>();
  readonly #presence: PresenceRecords<string>;
  /** Runtimes that a healthy, live host has offered since the watch started. */
  readonly #seen = new Set<string>();
  /** By runtime: when a live host was last seen busy, by `performance.now()`. */
  readonly #busyAt = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  readonly #bus: Bus;
  readonly #unfollow: () => void;
  /** When the watch or its connection last started, by `performance.now()`. */
  #connectedAt = performance.now();
  #watch: Watch | undefined;

  private constructor(bus: Bus, bucket: TypedBucket<HarnessOffer>, ttlMs: number) {
    this.#bus = bus;
    this.#bucket = bucket;
    this.#unfollow = bus.onState(() => {
      this.#connectedAt = performance.now();
    });
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
    const unseen = [...new Set(runtimeIds)].filter((id) => !this.#isSeen(id));
    return unseen.length > 0 ? unseen.map((id) => this.#reason(id)).join('; ') : undefined;
  }

  /**
   * The time since a live, healthy host of the runtime was last seen with all slots in use, or taking a stage.
   * @returns undefined when no host was seen busy since the watch started
   */
  busyAgoMs(runtimeId: string): number | undefined {
    const at = this.#busyAt.get(runtimeId);
    return at === undefined ? undefined : performance.now() - at;
  }

  /**
   * The time since the watch was started, or connected again. What the hosts did before is unknown: they may have been
   * busy. It is 0 while the connection is lost.
   */
  get watchedForMs(): number {
    return this.#bus.state === 'connected' ? performance.now() - this.#connectedAt : 0;
  }

  /** The slots of the live, healthy hosts of a runtime. */
  slotsOf(runtimeId: string): number {
    return this.#offersOf(runtimeId).reduce((sum, { healthy, slots }) => (healthy ? sum + slots : sum), 0);
  }

  #isSeen(runtimeId: string): boolean {
    return this.#seen.has(runtimeId) || this.#offersOf(runtimeId).some(({ healthy }) => healthy);
  }

  #changed(key: string, entry: Entry<HarnessOffer> | undefined): void {
    const before = this.#offers.get(key);
    // Renewing or withdrawing an offer proves that the host was alive.
    if (before?.healthy && !this.#presence.isStale(key)) this.#seen.add(before.runtimeId);
    if (entry) {
      if (isBusy(entry.value, before)) this.#busyAt.set(entry.value.runtimeId, performance.now());
      this.#offers.set(key, entry.value);
      this.#presence.observe(key, entry.revision);
    } else this.#forget(key);
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

  #reason(runtimeId: string): string {
    const unhealthy = this.#offersOf(runtimeId).find((offer) => offer.reason);
    return unhealthy
      ? `runtime ${runtimeId} is not healthy: ${unhealthy.reason}`
      : `no harness host offers runtime ${runtimeId}`;
  }

  #offersOf(runtimeId: string): HarnessOffer[] {
    return this.offers.filter((offer) => offer.runtimeId === runtimeId);
  }
}

/** Whether work waits for this host: it has no free slot, or it has taken a stage since its last offer. */
function isBusy(offer: HarnessOffer, before: HarnessOffer | undefined): boolean {
  const { healthy, slots, slotsInUse, stagesTaken = 0 } = offer;
  // A host of an earlier version does not report its load.
  if (!healthy || slotsInUse === undefined) return healthy;
  return slotsInUse >= slots || (before !== undefined && stagesTaken !== before.stagesTaken);
}
