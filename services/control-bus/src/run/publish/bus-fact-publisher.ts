import { type Blobs, externalise, type OrderedPublisher, type OutgoingMessage } from '@reins/bus';
import { eventSubject, type JsonObject, replyTemplate, type TraceHeaders } from '@reins/contracts';
import type { Emission } from '@reins/journal';
import type { Telemetry } from '@reins/service-kit';
import type { FactPublisher, RunPorts } from '../run-ports.ts';
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

const encoder = new TextEncoder();

/** The message that publishes a fact or directive. Requests carry the subject for their answer. */
function outgoing(
  { id, body, runtimeId, terminal, version }: Emission,
  options: { source: string; partitions: number; time: string; cause?: string; trace?: TraceHeaders | undefined },
): OutgoingMessage {
  const { workspaceId, requestId, type } = body;
  const effectId = (body as unknown as JsonObject).effectId;
  const wantsAnswer = type.endsWith('.requested') && typeof effectId === 'string';
  const reply = wantsAnswer
    ? { reply: replyTemplate({ workspaceId, runId: requestId }, effectId, options.partitions) }
    : {};
  return {
    subject: eventSubject({ type, workspaceId, requestId, ...(runtimeId !== undefined && { runtimeId }) }),
    data: encoder.encode(JSON.stringify(body)),
    headers: {
      id,
      type,
      source: options.source,
      time: options.time,
      version,
      ...(options.cause && { causation: options.cause }),
      ...options.trace,
      ...reply,
    },
    ...(terminal && { expectedLastSubjectSeq: 0 }),
  };
}
