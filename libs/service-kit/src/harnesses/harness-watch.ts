import { type Bus, openBucket, type Watch } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';

/** What hosts offer, kept by a watch on the `harnesses` bucket. */
export class HarnessWatch {
  readonly #offers = new Map<string, HarnessOffer>();
  readonly #seen = new Set<string>();
  #watch: Watch | undefined;

  /** Resolves when the offers of now are known. */
  static async start(bus: Bus): Promise<HarnessWatch> {
    const watch = new HarnessWatch();
    const bucket = await openBucket<HarnessOffer>(bus, 'harnesses');
    watch.#watch = await bucket.watch({}, (key, entry) => watch.#changed(key, entry?.value));
    await watch.#watch.current;
    return watch;
  }

  stop(): void {
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
  whyNot(runtimeIds: Iterable<string>): string | undefined {
    const unseen = [...new Set(runtimeIds)].filter((id) => !this.#seen.has(id));
    return unseen.length > 0 ? unseen.map((id) => this.#reason(id)).join('; ') : undefined;
  }

  #changed(key: string, offer: HarnessOffer | undefined): void {
    if (!offer) {
      this.#offers.delete(key);
      return;
    }
    this.#offers.set(key, offer);
    if (offer.healthy) this.#seen.add(offer.runtimeId);
  }

  #reason(runtimeId: string): string {
    const ill = this.#offersOf(runtimeId).find((offer) => offer.reason);
    return ill ? `runtime ${runtimeId} is not healthy: ${ill.reason}` : `no harness host offers runtime ${runtimeId}`;
  }

  #offersOf(runtimeId: string): HarnessOffer[] {
    return [...this.#offers.values()].filter((offer) => offer.runtimeId === runtimeId);
  }
}
