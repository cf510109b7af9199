import { type EventType, inboxSubject, isObject, type JsonObject } from '@reins/contracts';
import type { NewMessage } from '../server/log.ts';
import { PARTITIONS } from './settings.ts';

/** A command or an answer as an inbox message. */
export function inboxMessage(id: string, body: JsonObject): NewMessage {
  const { effectId, requestId, type, workspaceId } = body as Record<string, string>;
  const isAnswer = isObject(body) && typeof effectId === 'string' && !String(type).startsWith('command.');
  const address = { type: type as EventType, workspaceId: String(workspaceId), runId: String(requestId) };
  const subject = inboxSubject({ ...address, ...(isAnswer && { effectId }) }, PARTITIONS);
  return { subject, id, data: new TextEncoder().encode(JSON.stringify(body)) };
}
