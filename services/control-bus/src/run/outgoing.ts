import type { OutgoingMessage } from '@reins/bus';
import { eventSubject, type JsonObject, replyTemplate, type TraceHeaders } from '@reins/contracts';
import type { Emission } from '@reins/journal';

const encoder = new TextEncoder();

/** The message that publishes a fact or directive. Requests carry the subject for their answer. */
export function outgoing(
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
