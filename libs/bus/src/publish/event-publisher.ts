import { defined, type TraceHeaders, traceHeadersOf } from '@reins/contracts';
import type { Blobs } from '../blobs/blobs.ts';
import { externalise } from '../blobs/externalise.ts';
import type { BusMessage } from '../consume/message.ts';
import type { EventHeaders } from './headers.ts';
import type { OrderedPublisher } from './ordered-publisher.ts';
import type { OutgoingMessage } from './outgoing.ts';
import type { PublishReceipt } from './pub-ack.ts';

/** An event or a command to publish: its subject, its body, and the headers that only its sender knows. */
export interface OutgoingEvent extends Pick<EventHeaders, 'id' | 'causation' | 'version' | 'reply'>, TraceHeaders {
  readonly subject: string;
  readonly body: { readonly type: string };
  /** Default: the source of the publisher. */
  readonly source?: string;
  /** RFC 3339; default: now. */
  readonly time?: string;
  /** `Nats-Expected-Last-Subject-Sequence`; 0 = the first message of its subject. */
  readonly expectedLastSubjectSeq?: number;
}

export interface EventPublisherOptions {
  readonly publisher: Pick<OrderedPublisher, 'publishAll'>;
  /** Stores large bodies. */
  readonly blobs: Pick<Blobs, 'put'>;
  readonly source: string;
  /** Default: the clock of this machine. */
  readonly now?: () => Date;
}

/** Publishes events: encodes their bodies, stores large ones as blobs, and builds their headers. */
export class EventPublisher {
  readonly #options: EventPublisherOptions;

  constructor(options: EventPublisherOptions) {
    this.#options = options;
  }

  /**
   * Resolves when all events are durable, in order. An event whose id was published before is stored once.
   * @throws ReinsError of the bus
   */
  async publish(...events: readonly OutgoingEvent[]): Promise<readonly PublishReceipt[]> {
    const time = this.#now();
    const { blobs, publisher } = this.#options;
    const store = async (message: OutgoingMessage): Promise<OutgoingMessage> => ({
      ...message,
      data: await externalise(blobs, message.data),
    });
    return publisher.publishAll(await Promise.all(events.map((event) => store(this.envelope(event, time)))));
  }

  /**
   * The message of an event, for a sender that cannot wait until it is durable, or schedules it. A large body is still
   * inside.
   */
  envelope(
    { subject, body, expectedLastSubjectSeq, ...headers }: OutgoingEvent,
    time: string = this.#now(),
  ): OutgoingMessage {
    return {
      subject,
      data: encoder.encode(JSON.stringify(body)),
      headers: { source: this.#options.source, time, ...headers, type: body.type },
      ...defined({ expectedLastSubjectSeq }),
    };
  }

  #now(): string {
    const { now = () => new Date() } = this.#options;
    return now().toISOString();
  }
}

const encoder = new TextEncoder();

/** The headers of an event that a message caused: it continues the trace of the message. */
export const causedBy = ({ event }: Pick<BusMessage, 'event'>): TraceHeaders & { readonly causation: string } => ({
  causation: event.id,
  ...traceHeadersOf(event),
});
