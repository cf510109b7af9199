import type { TypedBucket, Watch } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';

/** Which runtimes healthy hosts offer now, kept by a watch on the `harnesses` bucket. */
export class RuntimeWatch {
  readonly #offers = new Map<string, HarnessOffer>();
  #watch: Watch | undefined;

  async start(bucket: TypedBucket<HarnessOffer>): Promise<void> {
    this.#watch = await bucket.watch({}, (key, entry) => {
      if (entry) this.#offers.set(key, entry.value);
      else this.#offers.delete(key);
    });
  }

  stop(): void {
    this.#watch?.stop();
  }

  /** Why these runtimes cannot all be used, naming each that is missing or ill; undefined when they can. */
  whyNot(runtimeIds: readonly string[]): string | undefined {
    const reasons = runtimeIds.flatMap((id) => this.#reason(id) ?? []);
    return reasons.length > 0 ? reasons.join('; ') : undefined;
  }

  #reason(runtimeId: string): string | undefined {
    const offers = [...this.#offers.values()].filter((offer) => offer.runtimeId === runtimeId);
    if (offers.some((offer) => offer.healthy)) return undefined;
    const ill = offers.find((offer) => offer.reason);
    return ill ? `runtime ${runtimeId} is not healthy: ${ill.reason}` : `no harness host offers runtime ${runtimeId}`;
  }
}
