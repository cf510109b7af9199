import { Injectable } from '@nestjs/common';
import type { EventFrame } from '../../events/frames.ts';
import { RequestReader } from '../../requests/request-reader.ts';
import type { AcceptedRequest } from '../../requests/request-records.ts';
import type { RequestView } from '../../requests/requests.responses.ts';
import { Answer, type AnswerEnd, type AnswerPart, type AnswerUsage, type OpenQuestion } from './answer.ts';
import { RequestEvents } from './follow.ts';

/** Shows an answer while it is written. */
export interface AnswerReader {
  part(part: AnswerPart): void;
  /** The request has ended, or asks the user. Narration may follow. */
  answered(): void;
  heartbeat(): void;
  readonly pendingBytes: number;
  drained(): Promise<void>;
}

/** What came of following a request. */
export type AnswerOutcome =
  | AnswerEnd
  | { readonly status: 'question'; readonly question: OpenQuestion }
  /** The request has not ended: the reader was too slow, or the signal aborted. */
  | { readonly status: 'open'; readonly reason: 'stopped' | 'too_slow' };

export interface AnswerOptions {
  /** Stops following the request, which goes on. */
  readonly signal: AbortSignal;
  readonly afterSeq: number;
  readonly until: FollowUntil;
}

/**
 * Where to stop: after the narration of the end, at the answer, at the end of the request, or at the first question, also
 * if it has an answer. The first two stop at a question that is open.
 */
export type FollowUntil = 'narration' | 'answer' | 'end' | 'question';

/** The answer is read as a whole. */
export const SILENT: AnswerReader = {
  part: () => undefined,
  answered: () => undefined,
  heartbeat: () => undefined,
  pendingBytes: 0,
  drained: () => Promise.resolve(),
};

/** Follows requests until they have an answer. */
@Injectable()
export class Answers {
  constructor(
    private readonly events: RequestEvents,
    private readonly requests: RequestReader,
  ) {}

  /** Resolves when the request has ended, asks the user, or when the signal aborts. */
  async follow(
    request: AcceptedRequest,
    answer: Answer,
    reader: AnswerReader,
    { signal, afterSeq, until }: AnswerOptions,
  ): Promise<AnswerOutcome> {
    const enough = new AbortController();
    let isCurrent = false;
    let isAnswered = false;
    const check = (): void => {
      // A question of the past may have its answer already.
      const isAsking = until !== 'end' && (isCurrent || until === 'question') && answer.question !== undefined;
      if (!isAnswered && (answer.end || isAsking)) {
        isAnswered = true;
        reader.answered();
      }
      if (isAsking || (until !== 'narration' && answer.end)) enough.abort();
    };
    const follower = {
      event: (frame: EventFrame) => {
        // What follows in the same page belongs to the next answer.
        if (enough.signal.aborted) return;
        for (const part of answer.add(frame)) reader.part(part);
        check();
      },
      caughtUp: () => {
        isCurrent = true;
        check();
      },
      heartbeat: () => reader.heartbeat(),
      get pendingBytes() {
        return reader.pendingBytes;
      },
      drained: () => reader.drained(),
    };
    const end = await this.events.follow(request, follower, {
      signal: AbortSignal.any([signal, enough.signal]),
      afterSeq,
    });
    if (end === 'too_slow') return { status: 'open', reason: 'too_slow' };
    if (answer.end) return answer.end;
    if (isAnswered && answer.question) return { status: 'question', question: answer.question };
    return end === 'ended' ? (await this.stored(request)).outcome : { status: 'open', reason: 'stopped' };
  }

  /** The answer in the events so far, until the end of the request or its first question. */
  async soFar(request: AcceptedRequest, afterSeq: number): Promise<PastAnswer> {
    const answer = new Answer(undefined);
    let hasEvents = false;
    for await (const frame of this.events.past(request, afterSeq)) {
      answer.add(frame);
      hasEvents = true;
      if (answer.end || answer.question) break;
    }
    return { answer, hasEvents };
  }

  /** The end of a request whose events have left the log. */
  async stored({ requestId }: AcceptedRequest): Promise<StoredAnswer> {
    const view = await this.requests.find(requestId);
    return { outcome: outcomeOf(view), usage: view.usage };
  }
}

/** The answer in past events, and whether there are any. */
interface PastAnswer {
  readonly answer: Answer;
  readonly hasEvents: boolean;
}

interface StoredAnswer {
  readonly outcome: AnswerOutcome;
  readonly usage: AnswerUsage;
}

function outcomeOf({ status, output = null, error, cancelReason }: RequestView): AnswerOutcome {
  if (status === 'completed') return { status, output };
  if (status === 'failed') return { status, error: error as { code: string; message: string } };
  if (status === 'cancelled') return { status, ...(cancelReason !== undefined && { reason: cancelReason }) };
  return { status: 'open', reason: 'stopped' };
}
