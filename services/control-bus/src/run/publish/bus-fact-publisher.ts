import type { EventPublisher, OutgoingEvent } from '@reins/bus';
import { defined, eventSubject, type JsonObject, replyTemplate } from '@reins/contracts';
import type { Emission } from '@reins/journal';
import type { Telemetry } from '@reins/service-kit';
import type { FactPublisher, PublishMode } from '../run-ports.ts';
import { factTrace } from './run-trace.ts';

export interface FactPublisherOptions {
  readonly partitions: number;
  readonly telemetry: Pick<Telemetry, 'span'>;
}

/** Publishes facts and directives to EVENTS, and sends the spans that end with them. */
export class BusFactPublisher implements FactPublisher {
  readonly #events: Pick<EventPublisher, 'publish'>;
  readonly #options: FactPublisherOptions;

  constructor(events: Pick<EventPublisher, 'publish'>, options: FactPublisherOptions) {
    this.#events = events;
    this.#options = options;
  }

  async publish(
    emissions: readonly Emission[],
    cause: string | undefined,
    { again, repaired, withoutReply }: PublishMode = {},
  ): Promise<void> {
    if (emissions.length === 0) return;
    const { partitions, telemetry } = this.#options;
    const traces = emissions.map(factTrace);
    const stored = await this.#events.publish(
      ...emissions.map((emission, index) => ({
        ...outgoing(emission, partitions, !withoutReply?.has(emission.id)),
        ...(cause && { causation: cause }),
        ...(repaired && { repaired }),
        ...traces[index]?.headers,
      })),
    );
    // Their owner sent the spans before the event log lost them.
    if (repaired) return;
    // The previous owner published this terminal fact, and has sent the spans since.
    if (again && emissions.some(({ terminal }, index) => terminal && stored[index]?.duplicate)) return;
    for (const trace of traces) for (const span of trace?.spans ?? []) telemetry.span(span);
  }
}

/** The event that publishes a fact or directive. Requests carry the subject for their answer. */
function outgoing(
  { id, body, runtimeId, terminal, version }: Emission,
  partitions: number,
  isAnswerNeeded: boolean,
): OutgoingEvent {
  const { workspaceId, requestId, type } = body;
  const effectId = (body as unknown as JsonObject).effectId;
  const wantsAnswer = isAnswerNeeded && type.endsWith('.requested') && typeof effectId === 'string';
  return {
    id,
    subject: eventSubject({ type, workspaceId, requestId, ...defined({ runtimeId }) }),
    body,
    version,
    ...(wantsAnswer && { reply: replyTemplate({ workspaceId, runId: requestId }, effectId, partitions) }),
    ...(terminal && { expectedLastSubjectSeq: 0 }),
  };
}
