import { type AnyEvent, CHECKS, isObject, type JsonObject, type Problem, ReinsError } from '@reins/contracts';

/** Something that may move a run: a message of its inbox, or one of its own timers. */
export interface Trigger {
  /** Its id; facts that follow from it name it as their cause. */
  readonly id: string;
  readonly body: AnyEvent;
  /** Of a worker's answer: which attempt at which effect it is about. */
  readonly answer?: AnswerHead;
}

export interface AnswerHead {
  readonly effectId: string;
  readonly attempt: number;
}

/** Answers of workers are facts that would be true; everything else in the inbox is a command, a timer or progress. */
const isAnswer = (body: AnyEvent): boolean => body.type.startsWith('runtime.');

/**
 * @throws ReinsError `message_invalid` when an answer does not say what it answers
 */
export function triggerOf(id: string, body: AnyEvent): Trigger {
  if (!isAnswer(body)) return { id, body };
  const problems: Problem[] = [];
  CHECKS.AnswerHead(body, '', problems);
  if (problems.length > 0) throw new ReinsError(problems);
  const { effectId, attempt } = body as unknown as AnswerHead;
  return { id, body, answer: { effectId, attempt } };
}

/** What every event has, and what tells effects apart: not part of an answer's own fields. */
const NOT_CARRIED = new Set([
  'type',
  'requestId',
  'sessionId',
  'agentId',
  'workspaceId',
  'effectId',
  'attempt',
  'epoch',
]);

/** The fields that an answer adds to the head of its event. */
export function answerFields(body: AnyEvent): JsonObject {
  return isObject(body) ? Object.fromEntries(Object.entries(body).filter(([key]) => !NOT_CARRIED.has(key))) : {};
}
