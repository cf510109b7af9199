import { type Bus, PROVIDER_PAUSES } from '@reins/bus';
import { isObject, parseJson } from '@reins/contracts';

/** A provider that accepts no calls for a time. The time is relative, because hosts may have different clocks. */
export interface ProviderPause {
  readonly provider: string;
  readonly retryAfterMs: number;
}

/** No message may stop a provider for longer. */
const MAX_PAUSE_MS = 600_000;

/**
 * The pauses of providers that other hosts have reported. If a message is lost, a host hears of the pause from the
 * provider itself.
 */
export class ProviderPauses {
  readonly #bus: Bus;
  readonly #hostId: string;
  readonly #stop: () => void;

  private constructor(bus: Bus, hostId: string, stop: () => void) {
    this.#bus = bus;
    this.#hostId = hostId;
    this.#stop = stop;
  }

  /** @param onPause receives the pauses that other hosts publish */
  static open(bus: Bus, hostId: string, onPause: (pause: ProviderPause) => void): ProviderPauses {
    const callback = (error: unknown, message?: { readonly data: Uint8Array }): void => {
      if (error) bus.log.warn({ error: String(error) }, 'subscription to the pauses of providers refused');
      const pause = message && pauseOf(message.data, hostId);
      if (pause) onPause(pause);
    };
    const subscription = bus.nc.subscribe(PROVIDER_PAUSES, { callback });
    return new ProviderPauses(bus, hostId, () => subscription.unsubscribe());
  }

  /** Publishes a pause to the other hosts. */
  publish({ provider, retryAfterMs }: ProviderPause): void {
    if (this.#bus.nc.isClosed()) return;
    this.#bus.nc.publish(PROVIDER_PAUSES, JSON.stringify({ hostId: this.#hostId, provider, retryAfterMs }));
  }

  close(): void {
    if (!this.#bus.nc.isClosed()) this.#stop();
  }
}

/** The pause in a message of another host; undefined for any other message. */
function pauseOf(data: Uint8Array, ownId: string): ProviderPause | undefined {
  try {
    const value = parseJson(data);
    if (!isObject(value) || value.hostId === ownId) return undefined;
    const { provider, retryAfterMs } = value;
    if (typeof provider !== 'string' || typeof retryAfterMs !== 'number' || !(retryAfterMs > 0)) return undefined;
    return { provider, retryAfterMs: Math.min(retryAfterMs, MAX_PAUSE_MS) };
  } catch {
    return undefined;
  }
}
