import { Blobs, type Bus, type BusMessage, inline, OrderedPublisher } from '@reins/bus';
import {
  type ErrorInfo,
  type EventOf,
  type EventType,
  type JsonObject,
  type Problem,
  parseEvent,
  ReinsError,
  replySubject,
  traceHeadersOf,
} from '@reins/contracts';

const encoder = new TextEncoder();

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
  const { id, reply, source } = message.event;
  if (reply === undefined)
    throw new ReinsError({
      code: 'subject_invalid',
      message: 'the request has no reply subject',
      path: 'reins-reply',
    });
  const headers = {
    id: `${id}.${type}`,
    type,
    source,
    time: new Date().toISOString(),
    causation: id,
    ...traceHeadersOf(message.event),
  };
  await publisher.publishAll([
    { subject: replySubject(reply, type), data: encoder.encode(JSON.stringify(body)), headers },
  ]);
}

/**
 * Returns an `onDead` function that answers a dead-lettered request with a failure, so that its run does not wait
 * forever. A message that is not a request, or has no reply subject, gets no answer.
 */
export function answerDeadLetters<T extends EventType>(
  bus: Bus,
  type: T,
  fieldsOf: (error: ErrorInfo) => AnswerFields<T>,
): (message: BusMessage, problem: Problem) => Promise<void> {
  return async (message, { code, message: text, path, hint }) => {
    const request = await requestOf(bus, message);
    if (!request || message.event.reply === undefined) return;
    const error = { code, message: text, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
    const publisher = new OrderedPublisher(bus);
    try {
      await sendAnswer(publisher, message, request, type, fieldsOf(error));
    } finally {
      await publisher.close();
    }
  };
}

async function requestOf(bus: Bus, message: BusMessage): Promise<WorkRequest | undefined> {
  const body = await inline(await Blobs.open(bus), message.data);
  try {
    const event: object = parseEvent(body);
    return 'effectId' in event && 'attempt' in event ? (event as WorkRequest) : undefined;
  } catch {
    return undefined; // an invalid event is the reason for the dead letter
  }
}
