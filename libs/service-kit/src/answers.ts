import type { BusMessage, OrderedPublisher } from '@reins/bus';
import { type EventOf, type EventType, type JsonObject, ReinsError, replySubject } from '@reins/contracts';

const encoder = new TextEncoder();

/** A request for work, as its worker sees it. */
export interface WorkRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly attempt: number;
}

/** What a proposed fact adds to the head that it takes from its request. */
export type AnswerFields<T extends EventType> = Omit<EventOf<T>, keyof WorkRequest | 'type'>;

/**
 * Sends a worker's answer: the fact that would be true, to the inbox subject that the request names. Its id follows from the
 * request's, so a repeated answer is stored once. Resolves when it is durable.
 * @throws ReinsError `subject_invalid` when the request does not say where its answer goes
 */
export async function sendAnswer<T extends EventType>(
  publisher: OrderedPublisher,
  message: BusMessage,
  request: WorkRequest,
  type: T,
  fields: AnswerFields<T>,
): Promise<void> {
  const { requestId, sessionId, agentId, workspaceId, effectId, attempt } = request;
  const body = {
    type,
    requestId,
    sessionId,
    agentId,
    workspaceId,
    effectId,
    attempt,
    ...fields,
  } as unknown as JsonObject;
  const { id, reply, source, traceparent } = message.event;
  if (reply === undefined)
    throw new ReinsError({
      code: 'subject_invalid',
      message: 'the request does not say where its answer goes',
      path: 'reins-reply',
    });
  const headers = {
    id: `${id}.${type}`,
    type,
    source,
    time: new Date().toISOString(),
    causation: id,
    ...(traceparent && { traceparent }),
  };
  await publisher.publishAll([
    { subject: replySubject(reply, type), data: encoder.encode(JSON.stringify(body)), headers },
  ]);
}
