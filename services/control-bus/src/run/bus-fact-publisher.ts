import { type Blobs, externalise, type OrderedPublisher } from '@reins/bus';
import type { Emission } from '@reins/journal';
import type { Telemetry } from '@reins/service-kit';
import { outgoing } from './outgoing.ts';
import type { FactPublisher, RunPorts } from './run-ports.ts';
import { factTrace } from './run-trace.ts';

export interface FactPublisherOptions {
  readonly source: string;
  readonly partitions: number;
  readonly clock: RunPorts['clock'];
  readonly telemetry: Telemetry;
}

/** Publishes facts and directives to EVENTS, and sends the spans that end with them. */
export class BusFactPublisher implements FactPublisher {
  readonly #publisher: Pick<OrderedPublisher, 'publishAll'>;
  readonly #blobs: Pick<Blobs, 'put'>;
  readonly #options: FactPublisherOptions;

  constructor(
    publisher: Pick<OrderedPublisher, 'publishAll'>,
    blobs: Pick<Blobs, 'put'>,
    options: FactPublisherOptions,
  ) {
    this.#publisher = publisher;
    this.#blobs = blobs;
    this.#options = options;
  }

  async publish(emissions: readonly Emission[], cause: string | undefined, again = false): Promise<void> {
    if (emissions.length === 0) return;
    const { source, partitions, clock, telemetry } = this.#options;
    const time = clock.now().toISOString();
    const traces = emissions.map(factTrace);
    const messages = emissions.map((emission, index) =>
      outgoing(emission, {
        source,
        partitions,
        time,
        trace: traces[index]?.headers,
        ...(cause !== undefined && { cause }),
      }),
    );
    const small = await Promise.all(
      messages.map(async (message) => ({ ...message, data: await externalise(this.#blobs, message.data) })),
    );
    const stored = await this.#publisher.publishAll(small);
    // The previous owner published this terminal fact, and has sent the spans since.
    if (again && emissions.some(({ terminal }, index) => terminal && stored[index]?.duplicate)) return;
    for (const trace of traces) for (const span of trace?.spans ?? []) telemetry.span(span);
  }
}
