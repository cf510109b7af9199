import { type Blobs, externalise, type OrderedPublisher } from '@reins/bus';
import { type AnyEvent, inboxSubject, isObject } from '@reins/contracts';
import type { RunPorts } from '../run-ports.ts';

/** Sends a message from one run to another through the inbox. */
export function busPost(
  publisher: Pick<OrderedPublisher, 'publishAll'>,
  blobs: Pick<Blobs, 'put'>,
  { source, partitions, clock }: { source: string; partitions: number; clock: RunPorts['clock'] },
): RunPorts['post'] {
  return async (id, body) => {
    const { type, workspaceId, requestId } = body;
    const effectId = answeredEffect(body);
    const subject = inboxSubject({ type, workspaceId, runId: requestId, ...(effectId && { effectId }) }, partitions);
    const data = await externalise(blobs, new TextEncoder().encode(JSON.stringify(body)));
    const headers = { id, type, source, time: clock.now().toISOString() };
    await publisher.publishAll([{ subject, data, headers }]);
  };
}

/** The subject of an answer also contains its effect id. */
const answeredEffect = (body: AnyEvent): string | undefined =>
  isObject(body) && typeof body.effectId === 'string' ? body.effectId : undefined;
