import { type Blobs, externalise, type OrderedPublisher } from '@reins/bus';
import type { Emission } from '@reins/journal';
import { outgoing } from './outgoing.ts';
import type { RunPorts, Teller } from './run-ports.ts';

/** Tells facts and directives on EVENTS. */
export class BusTeller implements Teller {
  readonly #publisher: OrderedPublisher;
  readonly #blobs: Blobs;
  readonly #about: { readonly source: string; readonly partitions: number; readonly clock: RunPorts['clock'] };

  constructor(
    publisher: OrderedPublisher,
    blobs: Blobs,
    about: { source: string; partitions: number; clock: RunPorts['clock'] },
  ) {
    this.#publisher = publisher;
    this.#blobs = blobs;
    this.#about = about;
  }

  async tell(emissions: readonly Emission[], cause: string | undefined): Promise<void> {
    if (emissions.length === 0) return;
    const { source, partitions, clock } = this.#about;
    const time = clock.now().toISOString();
    const messages = emissions.map((emission) =>
      outgoing(emission, { source, partitions, time, ...(cause !== undefined && { cause }) }),
    );
    const small = await Promise.all(
      messages.map(async (message) => ({ ...message, data: await externalise(this.#blobs, message.data) })),
    );
    await this.#publisher.publishAll(small);
  }
}
