import { Blobs, type Bus, externalise, OrderedPublisher } from '@reins/bus';
import { type EventOf, type EventType, inboxSubject } from '@reins/contracts';
import {
  childContext,
  formatTraceparent,
  messageAttributes,
  parseTraceparent,
  runAttributes,
  type Telemetry,
} from '@reins/service-kit';

/** What the gateway may send to a run. */
export type CommandType = Extract<
  EventType,
  `command.run.${string}` | `command.effect.${string}` | 'command.approval.resolve' | 'command.signal'
>;
export type Command = EventOf<CommandType>;

const SOURCE = 'gateway';

/** The event id of a command to a run that is under way. */
export const commandId = (requestId: string, idempotencyKey: string): string => `${requestId}.${idempotencyKey}`;

/** The idempotency key in such an id, which begins with the type of its command; undefined of what is sent under other ids. */
export function idempotencyKeyIn(id: string, requestId: string, type: string): string | undefined {
  return id.startsWith(commandId(requestId, `${type}.`)) ? id.slice(commandId(requestId, '').length) : undefined;
}

export interface SendOptions {
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
  readonly #telemetry: Telemetry;

  private constructor(publisher: OrderedPublisher, blobs: Blobs, partitions: number, telemetry: Telemetry) {
    this.#publisher = publisher;
    this.#blobs = blobs;
    this.#partitions = partitions;
    this.#telemetry = telemetry;
  }

  static async open(bus: Bus, partitions: number, telemetry: Telemetry): Promise<Commands> {
    return new Commands(new OrderedPublisher(bus), await Blobs.open(bus), partitions, telemetry);
  }

  /**
   * Resolves when the command is durable. The same id again is stored once.
   * @throws ReinsError of the bus
   */
  async send(
    id: string,
    command: Command,
    { time = new Date().toISOString(), traceparent }: SendOptions = {},
  ): Promise<void> {
    const { type, workspaceId, requestId } = command;
    const subject = inboxSubject({ type, workspaceId, runId: requestId }, this.#partitions);
    const parent = parseTraceparent(traceparent);
    const context = childContext(parent);
    const sent = formatTraceparent(context);
    const from = Date.now();
    // The run goes on in this trace, also when it begins only after its session's turn has come.
    const body = type === 'command.run.submit' ? { ...command, traceparent: sent } : command;
    const data = await externalise(this.#blobs, new TextEncoder().encode(JSON.stringify(body)));
    const headers = { id, type, source: SOURCE, time, traceparent: sent };
    await this.#publisher.publishAll([{ subject, data, headers }]);
    this.#telemetry.span({
      name: `send ${type}`,
      kind: 'producer',
      context,
      parentId: parent?.spanId,
      from,
      to: Date.now(),
      attributes: { ...messageAttributes('send', type, { event: { id } }), ...runAttributes(command) },
    });
  }

  close(): Promise<void> {
    return this.#publisher.close();
  }
}
