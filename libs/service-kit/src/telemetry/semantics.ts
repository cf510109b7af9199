import type { SpanAttributes } from './telemetry.ts';

/** Attributes of messaging spans (OpenTelemetry semantic conventions). */
export function messageAttributes(
  operation: 'send' | 'process',
  type: string,
  { event }: { readonly event: { readonly id: string } },
): SpanAttributes {
  return {
    'messaging.system': 'nats',
    'messaging.operation.type': operation,
    'messaging.operation.name': operation,
    'messaging.destination.name': type,
    'messaging.message.id': event.id,
  };
}

/** Reins attributes that identify the run of a span. */
export function runAttributes({
  workspaceId,
  requestId,
  sessionId,
}: {
  readonly workspaceId: string;
  readonly requestId: string;
  readonly sessionId: string;
}): SpanAttributes {
  return { 'reins.workspace_id': workspaceId, 'reins.request_id': requestId, 'reins.session_id': sessionId };
}
