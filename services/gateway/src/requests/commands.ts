import { Blobs, type Bus, externalise, OrderedPublisher } from '@reins/bus';
import { type EventOf, inboxSubject } from '@reins/contracts';

/** What the gateway may send to a run. */
export type CommandType = 'command.run.submit' | 'command.run.cancel' | 'command.run.answer';
export type Command = EventOf<CommandType>;

const SOURCE = 'gateway';

export interface Sending {
  /** When it was said; by default now. */
  readonly time?: string;
  /** W3C trace context of the call that it comes from. */
  readonly traceparent?: string | undefined;
}

/** Puts commands into the inbox of their run. */
export class Commands {
  readonly #publisher: OrderedPublisher;
  readonly #blobs: Blobs;
  readonly #partitions: number;

  private constructor(publisher: OrderedPublisher, blobs: Blobs, partitions: number) {
    this.#publisher = publisher;
    this.#blobs = blobs;
    this.#partitions = partitions;
  }

  static async open(bus: Bus, partitions: number): Promise<Commands> {
    return new Commands(new OrderedPublisher(bus), await Blobs.open(bus), partitions);
  }

  /**
   * Resolves when the command is durable. The same id again is stored once.
   * @throws ReinsError of the bus
   */
  async send(
    id: string,
    command: Command,
    { time = new Date().toISOString(), traceparent }: Sending = {},
  ): Promise<void> {
    const { type, workspaceId, requestId } = command;
    const subject = inboxSubject({ type, workspaceId, runId: requestId }, this.#partitions);
    const data = await externalise(this.#blobs, new TextEncoder().encode(JSON.stringify(command)));
    await this.#publisher.publishAll([
      { subject, data, headers: { id, type, source: SOURCE, time, ...(traceparent && { traceparent }) } },
    ]);
  }

  close(): Promise<void> {
    return this.#publisher.close();
  }
}
