import type { EventPublisher } from '@reins/bus';
import { type EventOf, type EventType, inboxSubject } from '@reins/contracts';
import {
  childContext,
  messageAttributes,
  runAttributes,
  type SpanContext,
  type Telemetry,
  writeTrace,
} from '@reins/service-kit';

/** The commands that the gateway may send to a run. */
export type CommandType = Extract<
  EventType,
  `command.run.${string}` | `command.effect.${string}` | 'command.approval.resolve' | 'command.signal'
>;
export type Command = EventOf<CommandType>;

const SOURCE = 'gateway';

/** The event id of a command to an existing run. */
export const commandId = (requestId: string, idempotencyKey: string): string => `${requestId}.${idempotencyKey}`;

/** The idempotency key in the id of a command, which starts with the type of the command; undefined for other ids. */
export function idempotencyKeyIn(id: string, requestId: string, type: string): string | undefined {
  return id.startsWith(commandId(requestId, `${type}.`)) ? id.slice(commandId(requestId, '').length) : undefined;
}

export interface SendOptions {
  /** The time of the command; default: now. */
  readonly time?: string;
  /** Trace context of the originating call. */
  readonly trace?: SpanContext | undefined;
}

/** Publishes commands to the inbox of their run. */
export class Commands {
  readonly #events: EventPublisher;
  readonly #partitions: number;
  readonly #telemetry: Telemetry;

  constructor(events: EventPublisher, partitions: number, telemetry: Telemetry) {
    this.#events = events;
    this.#partitions = partitions;
    this.#telemetry = telemetry;
  }

  /**
   * Publishes a command. Resolves when it is durable. Commands with the same id are stored once.
   * @throws ReinsError of the bus
   */
  async send(
    id: string,
    command: Command,
    { time = new Date().toISOString(), trace: parent }: SendOptions = {},
  ): Promise<void> {
    const { type, workspaceId, requestId } = command;
    const subject = inboxSubject({ type, workspaceId, runId: requestId }, this.#partitions);
    const context = childContext(parent);
    const trace = writeTrace(context);
    const from = Date.now();
    // The run continues this trace, also when it starts later because its session is busy.
    const body = type === 'command.run.submit' ? { ...command, ...trace } : command;
    await this.#events.publish({ id, subject, body, source: SOURCE, time, ...trace });
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
}
