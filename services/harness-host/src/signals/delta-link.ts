import { headers as newHeaders } from '@nats-io/nats-core';
import type { Bus, OutgoingMessage } from '@reins/bus';
import { HEADERS } from '@reins/contracts';

const FLUSH_MS = 1000;

/**
 * Publishes deltas as what they are: a live view that is gone in minutes and may have gaps, while the whole text is in the stage's
 * completion. Their stream lies in memory and does not outlive its server, so nobody waits for it to take them: a stage must not hang
 * on them.
 */
export class DeltaLink {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  publish({ subject, data, headers: { id, type, source, time, causation, traceparent } }: OutgoingMessage): void {
    const block = newHeaders();
    const fields = { [HEADERS.id]: id, [HEADERS.type]: type, [HEADERS.source]: source, [HEADERS.time]: time };
    const more = { [HEADERS.specVersion]: '1.0', [HEADERS.causation]: causation, [HEADERS.trace]: traceparent };
    for (const [name, value] of Object.entries({ ...fields, ...more })) if (value !== undefined) block.set(name, value);
    try {
      this.#bus.nc.publish(subject, data, { headers: block });
    } catch {
      // The link is closed or full: a gap.
    }
  }

  /** Resolves when the server has them, or after a moment when it cannot be asked. */
  async flush(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FLUSH_MS);
    });
    await Promise.race([this.#bus.nc.flush().catch(() => undefined), late]);
    clearTimeout(timer);
  }
}
