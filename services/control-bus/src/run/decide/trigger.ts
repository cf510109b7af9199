import { type AnyEvent, CHECKS, defined, isObject, type JsonObject, type Problem, ReinsError } from '@reins/contracts';

/** A message from the inbox of a run: a command, a worker's answer, or a due timer. */
export interface Trigger {
  /** The message id. It is the causation id of the facts that follow. */
  readonly id: string;
  readonly body: AnyEvent;
  /** For a worker's answer: the effect and attempt that it answers. */
  readonly answer?: AnswerHead;
}

export interface AnswerHead {
  readonly effectId: string;
  readonly attempt: number;
  /** For a stage that was suspended: the number of the resumption that is answered. */
  readonly resumption?: number;
}

/** Workers answer with event types `runtime.*`. Everything else in the inbox is a command, a timer or progress. */
const isAnswer = (body: AnyEvent): boolean => body.type.startsWith('runtime.');

/** @throws ReinsError `message_invalid` when an answer lacks its effect or attempt */
export function triggerOf(id: string, body: AnyEvent): Trigger {
  if (!isAnswer(body)) return { id, body };
  const problems: Problem[] = [];
  CHECKS.AnswerHead(body, '', problems);
  if (problems.length > 0) throw new ReinsError(problems);
  const { effectId, attempt, resumption } = body as unknown as AnswerHead;
  return { id, body, answer: { effectId, attempt, ...defined({ resumption }) } };
}

/** The fields of every event, and the address of the effect. They are not part of the answer itself. */
const NOT_CARRIED = new Set([
  'type',
  'requestId',
  'sessionId',
  'agentId',
  'workspaceId',
  'effectId',
  'attempt',
  'resumption',
  'epoch',
]);

/** The fields that an answer adds to the head of its event. */
export function answerFields(body: AnyEvent): JsonObject {
  return isObject(body) ? Object.fromEntries(Object.entries(body).filter(([key]) => !NOT_CARRIED.has(key))) : {};
}
