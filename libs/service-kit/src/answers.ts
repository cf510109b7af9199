import { Blobs, type Bus, type BusMessage, causedBy, EventPublisher, inline, OrderedPublisher } from '@reins/bus';
import {
  defined,
  type ErrorInfo,
  type EventOf,
  type EventType,
  type Problem,
  parseEvent,
  ReinsError,
  replySubject,
} from '@reins/contracts';

/** The fields that identify a worker's request. */
export interface WorkRequest {
  readonly requestId: string;
  readonly sessionId: string;
  readonly agentId: string;
  readonly workspaceId: string;
  readonly effectId: string;
  readonly attempt: number;
}

/** The fields of an answer without those that it takes from its request. */
export type AnswerFields<T extends EventType> = Omit<EventOf<T>, keyof WorkRequest | 'type'>;

/**
 * Sends a worker's answer, a proposed fact, to the inbox subject that the request names. Its id is derived from the
 * request's id, so a repeated answer is stored once. Resolves when the answer is durable.
 * @throws ReinsError `subject_invalid` when the request has no reply subject
 */
export async function sendAnswer<T extends EventType>(
  events: Pick<EventPublisher, 'publish'>,
  message: BusMessage,
  request: WorkRequest,
  type: T,
  fields: AnswerFields<T>,
): Promise<void> {
  const { requestId, sessionId, agentId, workspaceId, effectId, attempt } = request;
  const body = { type, requestId, sessionId, agentId, workspaceId, effectId, attempt, ...fields };
  const { id, reply, source } = message.event;
  if (reply === undefined)
    throw new ReinsError({
      code: 'subject_invalid',
      message: 'the request has no reply subject',
      path: 'reins-reply',
    });
  await events.publish({ id: `${id}.${type}`, subject: replySubject(reply, type), body, source, ...causedBy(message) });
}

/**
 * Returns an `onDead` function that answers a dead-lettered request with a failure, so that its run does not wait
 * forever. A message that is not a request, or has no reply subject, gets no answer.
 */
export function answerDeadLetters<T extends EventType>(
  type: T,
  fieldsOf: (error: ErrorInfo) => AnswerFields<T>,
): (bus: Bus, message: BusMessage, problem: Problem) => Promise<void> {
  return async (bus, message, { code, message: text, path, hint }) => {
    const blobs = await Blobs.open(bus);
    const request = await requestOf(blobs, message);
    if (!request || message.event.reply === undefined) return;
    const error = { code, message: text, ...defined({ path, hint }) };
    const publisher = new OrderedPublisher(bus);
    try {
      const events = new EventPublisher({ publisher, blobs, source: message.event.source });
      await sendAnswer(events, message, request, type, fieldsOf(error));
    } finally {
      await publisher.close();
    }
  };
}

async function requestOf(blobs: Blobs, message: BusMessage): Promise<WorkRequest | undefined> {
  const body = await inline(blobs, message.data);
  try {
    const event: object = parseEvent(body);
    return 'effectId' in event && 'attempt' in event ? (event as WorkRequest) : undefined;
  } catch {
    return undefined; // an invalid event is the reason for the dead letter
  }
}
