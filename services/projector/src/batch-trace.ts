import { decodeEventHeaders } from '@reins/bus';
import { childContext, readTrace, type Telemetry } from '@reins/service-kit';
import type { Step } from './batch-writer.ts';

/**
 * Records one span per trace in a batch, since a batch contains facts of many runs. Its parent is the span of the first
 * fact of the trace.
 */
export function traceBatch(telemetry: Telemetry, steps: readonly Step[], from: number): void {
  if (!telemetry.on) return;
  const to = Date.now();
  const traced = steps.flatMap(({ message }) => {
    const parent = readTrace(decodeEventHeaders((name) => message.header(name)));
    return parent ? [{ parent, message }] : [];
  });
  for (const facts of Map.groupBy(traced, ({ parent }) => parent.traceId).values()) {
    const [first] = facts;
    if (!first) continue;
    telemetry.span({
      name: 'project',
      kind: 'consumer',
      context: childContext(first.parent),
      parentId: first.parent.spanId,
      from,
      to,
      attributes: {
        'messaging.system': 'nats',
        'messaging.operation.type': 'process',
        'messaging.operation.name': 'project',
        'messaging.destination.name': 'EVENTS',
        'messaging.batch.message_count': facts.length,
        'reins.sequence': facts.at(-1)?.message.seq,
      },
    });
  }
}
