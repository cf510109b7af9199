import type { OutgoingMessage } from '@reins/bus';
import { eventSubject, type JsonObject, replyTemplate } from '@reins/contracts';
import type { Emission } from '@reins/journal';

const encoder = new TextEncoder();

/** A fact or directive as the message that tells it. Requests say where their answer goes. */
export function outgoing(
  { id, body, runtimeId, terminal, version }: Emission,
  about: { source: string; partitions: number; time: string; cause?: string; traceparent?: string },
): OutgoingMessage {
  const { workspaceId, requestId, type } = body;
  const effectId = (body as unknown as JsonObject).effectId;
  const wantsAnswer = type.endsWith('.requested') && typeof effectId === 'string';
  const reply = wantsAnswer
    ? { reply: replyTemplate({ workspaceId, runId: requestId }, effectId, about.partitions) }
    : {};
  return {
    subject: eventSubject({ type, workspaceId, requestId, ...(runtimeId !== undefined && { runtimeId }) }),
    data: encoder.encode(JSON.stringify(body)),
    headers: {
      id,
      type,
      source: about.source,
      time: about.time,
      version,
      ...(about.cause && { causation: about.cause }),
      ...(about.traceparent && { traceparent: about.traceparent }),
      ...reply,
    },
    ...(terminal && { expectedLastSubjectSeq: 0 }),
  };
}
