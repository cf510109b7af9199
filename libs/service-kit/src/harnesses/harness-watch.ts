import { type Bus, type Entry, openBucket, PresenceRecords, type TypedBucket, type Watch } from '@reins/bus';
import { type HarnessOffer, OFFER_TTL_MS } from '@reins/contracts';

/** An offer that was not renewed for so many lives is nobody's, whether or not the server has removed it. */
const STALE_AFTER_TTLS = 2;

/** What hosts offer, kept by a watch on the `harnesses` bucket. */
export class HarnessWatch {
  readonly #bucket: TypedBucket<HarnessOffer>;
  readonly #offers = new Map<string, HarnessOffer>();
  readonly #presence: PresenceRecords<string>;
  /** Runtimes that a host offered which was well and, since this process watches, alive. */
  readonly #seen = new Set<string>();
  readonly #timer: NodeJS.Timeout;
  #watch: Watch | undefined;

  private constructor(bucket: TypedBucket<HarnessOffer>, ttlMs: number) {
    this.#bucket = bucket;
    this.#presence = new PresenceRecords(STALE_AFTER_TTLS * ttlMs);
    this.#timer = setInterval(() => this.#dropStale(), ttlMs).unref();
  }

  /** Resolves when the offers of now are known. */
  static async start(bus: Bus, ttlMs: number = OFFER_TTL_MS): Promise<HarnessWatch> {
    const watch = new HarnessWatch(await openBucket<HarnessOffer>(bus, 'harnesses'), ttlMs);
    watch.#watch = await watch.#bucket.watch({}, (key, entry) => watch.#changed(key, entry));
    await watch.#watch.current;
    return watch;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#watch?.stop();
  }

  /** What the runtime can do, by the names of its offer; nothing while no host offers it. */
  capabilitiesOf(runtimeId: string): readonly string[] {
    return this.#offersOf(runtimeId)[0]?.capabilities ?? [];
  }

  /**
   * Why these runtimes cannot all be counted on: each that no healthy host has offered yet, with the reason. Undefined when
   * every one was seen; a host that went away since will be back, or another one, and work waits for it.
   */
  unavailableReason(runtimeIds: Iterable<string>): string | undefined {
    const unseen = [...new Set(runtimeIds)].filter((id) => !this.#isSeen(id));
    return unseen.length > 0 ? unseen.map((id) => this.#reason(id)).join('; ') : undefined;
  }

  #isSeen(runtimeId: string): boolean {
    return this.#seen.has(runtimeId) || this.#offersOf(runtimeId).some(({ healthy }) => healthy);
  }

  #changed(key: string, entry: Entry<HarnessOffer> | undefined): void {
    const before = this.#offers.get(key);
    // Whoever renews an offer, or takes it back, lived until then.
    if (before?.healthy && !this.#presence.isStale(key)) this.#seen.add(before.runtimeId);
    if (entry) {
      this.#offers.set(key, entry.value);
      this.#presence.observe(key, entry.revision);
    } else this.#forget(key);
  }

  /** Offers of hosts that died while the server could not see to it that their keys expire. */
  #dropStale(): void {
    for (const key of [...this.#presence.keys]) {
      if (!this.#presence.isStale(key)) continue;
      const revision = this.#presence.revision(key);
      this.#forget(key);
      // Only if it is still silent: one that lives has a newer revision.
      void this.#bucket.delete(key, revision).catch(() => false);
    }
  }

  #forget(key: string): void {
    this.#offers.delete(key);
    this.#presence.forget(key);
  }

  #reason(runtimeId: string): string {
    const ill = this.#offersOf(runtimeId).find((offer) => offer.reason);
    return ill ? `runtime ${runtimeId} is not healthy: ${ill.reason}` : `no harness host offers runtime ${runtimeId}`;
  }

  #offersOf(runtimeId: string): HarnessOffer[] {
    return [...this.#offers].flatMap(([key, offer]) =>
      offer.runtimeId === runtimeId && !this.#presence.isStale(key) ? [offer] : [],
    );
  }
}
