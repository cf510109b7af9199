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
} from '@reins/contracts';

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

/**
 * For the `onDead` of a durable: a request that is given up must not leave its run waiting, so it is answered with a failure. What is no
 * request, or says not where its answer goes, has nobody who waits.
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
    return undefined; // it is in DEAD for that
  }
}
