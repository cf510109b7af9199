import type { EventPublisher } from '@reins/bus';
import { type AnyEvent, inboxSubject, isObject } from '@reins/contracts';
import type { RunPorts } from '../run-ports.ts';

/** Sends a message from one run to another through the inbox. @param partitions the setting `nats.partitions` */
export function busPost(events: Pick<EventPublisher, 'publish'>, partitions: number): RunPorts['post'] {
  return async (id, body) => {
    const { type, workspaceId, requestId } = body;
    const effectId = answeredEffect(body);
    const subject = inboxSubject({ type, workspaceId, runId: requestId, ...(effectId && { effectId }) }, partitions);
    await events.publish({ id, subject, body });
  };
}

/** The subject of an answer also contains its effect id. */
const answeredEffect = (body: AnyEvent): string | undefined =>
  isObject(body) && typeof body.effectId === 'string' ? body.effectId : undefined;
