import type { TypedBucket, Watch } from '@reins/bus';
import type { HarnessOffer } from '@reins/contracts';
import type { HarnessCapabilities } from '@reins/runtime-config';

/** What hosts say that their runtimes can do, kept by a watch on the `harnesses` bucket. */
export class HarnessOffers {
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

  /** Of a runtime that no host offers now, only what holds for all: the stage waits for a host anyway. */
  capabilitiesOf(runtimeId: string): HarnessCapabilities {
    const offer = [...this.#offers.values()].find((candidate) => candidate.runtimeId === runtimeId);
    return capabilitiesFrom(offer?.capabilities ?? []);
  }
}

/** Structured output is checked by the host for every runtime; the other surfaces are the executor's own. */
function capabilitiesFrom(names: readonly string[]): HarnessCapabilities {
  const can = (name: string): boolean => names.includes(name);
  return {
    modelClient: 'required',
    structuredOutput: true,
    mcpTools: can('mcp'),
    skills: can('skills'),
    commands: can('commands'),
    browserTools: can('browserTools'),
    runtimeTools: can('runtimeTools'),
    waitingUser: can('waitingUser'),
    images: can('images'),
  };
}
