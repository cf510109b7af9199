import { Injectable } from '@nestjs/common';
import type { EventFrame } from '../../events/frames.ts';
import { RequestReader } from '../../requests/request-reader.ts';
import type { AcceptedRequest } from '../../requests/request-records.ts';
import type { Answer, AnswerEnd, AnswerPart, OpenQuestion } from './answer.ts';
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
  /** Whether to stop with the answer, without the narration that may follow. */
  readonly untilAnswered: boolean;
}

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
    { signal, afterSeq, untilAnswered }: AnswerOptions,
  ): Promise<AnswerOutcome> {
    const enough = new AbortController();
    let isCurrent = false;
    let isAnswered = false;
    const check = (): void => {
      // A question of the past may have its answer already.
      const isAsking = isCurrent && answer.question !== undefined;
      if (!isAnswered && (answer.end || isAsking)) {
        isAnswered = true;
        reader.answered();
      }
      if (isAsking || (untilAnswered && answer.end)) enough.abort();
    };
    const follower = {
      event: (frame: EventFrame) => {
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
    if (isCurrent && answer.question) return { status: 'question', question: answer.question };
    return end === 'ended' ? this.#storedEnd(request) : { status: 'open', reason: 'stopped' };
  }

  /** The end of a request whose events have left the log. */
  async #storedEnd({ requestId }: AcceptedRequest): Promise<AnswerOutcome> {
    const { status, output = null, error, cancelReason } = await this.requests.find(requestId);
    if (status === 'completed') return { status, output };
    if (status === 'failed') return { status, error: error as { code: string; message: string } };
    if (status === 'cancelled') return { status, ...(cancelReason !== undefined && { reason: cancelReason }) };
    return { status: 'open', reason: 'stopped' };
  }
}
