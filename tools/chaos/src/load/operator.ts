import { randomUUID } from 'node:crypto';
import { isObject } from '@reins/contracts';
import type { LostTime } from '../faults/set-back.ts';
import type { Gateway, HttpResponse } from '../system/gateway.ts';
import { type Acknowledgements, answerTo, cancelOf, endOf, type Question } from './acknowledgements.ts';
import { isAnswered, questionOf } from './answer-questions.ts';
import type { AcceptedRequest } from './load.ts';
import { retryUntilAnswered } from './retry-until-answered.ts';

/** How often the operator did what. */
export interface OperatorReport {
  /** Damaged requests that were resumed. */
  readonly resumed: number;
  /** Cancels and answers that a restore had lost, and that were sent again. */
  readonly repeated: number;
}

/**
 * Does what docs/operating.md asks for after a restore: sends again the acknowledged cancels and answers that it
 * has lost, once each. Other requests get no help, so that they stay open if their cancel or answer has no effect. Also
 * resumes damaged requests, which is a violation: the copies are consistent.
 */
export class Operator {
  readonly #gateway: Gateway;
  readonly #acknowledged: Acknowledgements;
  readonly #lost: readonly LostTime[];
  readonly #damaged = new Set<string>();
  readonly #repeated = new Set<string>();
  /** By request id: what was logged last. */
  readonly #logged = new Map<string, string>();
  readonly #log: (line: string) => void;

  /** @param acknowledged what responses have confirmed; `lost`: the times that a restored copy does not have */
  constructor(
    gateway: Gateway,
    acknowledged: Acknowledgements,
    lost: readonly LostTime[],
    log: (line: string) => void = () => {},
  ) {
    this.#gateway = gateway;
    this.#acknowledged = acknowledged;
    this.#lost = lost;
    this.#log = log;
  }

  get report(): OperatorReport {
    return { resumed: this.#damaged.size, repeated: this.#repeated.size };
  }

  /** Ids of the damaged requests that were resumed. */
  get damaged(): ReadonlySet<string> {
    return this.#damaged;
  }

  /** @param open requests that have not ended */
  async help(open: readonly AcceptedRequest[]): Promise<void> {
    for (const request of open) await this.#help(request);
  }

  async #help({ requestId, planned }: AcceptedRequest): Promise<void> {
    const { response } = await retryUntilAnswered(() => this.#gateway.get(`/requests/${requestId}`));
    if (isDamaged(response.body)) {
      this.#damaged.add(requestId);
      await this.#post(requestId, 'resume', {});
      return;
    }
    const question = questionOf(response.body);
    if (planned.answer !== undefined) this.#logWait(requestId, response, question);
    if (planned.answer !== undefined && question) await this.#answer(requestId, question, planned.answer);
    if (planned.cancelAfterMs !== undefined) await this.#cancel(requestId);
  }

  async #answer(requestId: string, question: Question, answer: string): Promise<void> {
    const what = answerTo(requestId, question);
    // A client that has seen the end of its request does not look for further questions.
    const isUnanswered = !this.#acknowledged.has(what) && this.#isLost(endOf(requestId));
    if (this.#repeated.has(what) || !(isUnanswered || this.#isLost(what))) return;
    const response = await this.#post(requestId, 'answers', { ...question, answer });
    this.#log(`${what} was repeated: ${response.status} ${JSON.stringify(response.body)}`);
    if (isAnswered(response)) this.#repeated.add(what);
  }

  /** Logs what a request with an answer waits for, and when that was answered, if it has changed. */
  #logWait(requestId: string, { status, body }: HttpResponse, question: Question | undefined): void {
    const waiting = isObject(body) ? JSON.stringify({ status: body.status, waiting: body.waiting }) : '';
    const answered = question ? this.#acknowledged.timesOf(answerTo(requestId, question)) : undefined;
    const line = `${requestId} is open: ${status} ${waiting}, answer ${JSON.stringify(answered ?? 'not acknowledged')}`;
    if (this.#logged.get(requestId) === line) return;
    this.#logged.set(requestId, line);
    this.#log(line);
  }

  async #cancel(requestId: string): Promise<void> {
    const what = cancelOf(requestId);
    if (this.#repeated.has(what) || !this.#isLost(what)) return;
    const { status } = await this.#post(requestId, 'cancel', {});
    if (status === 202) this.#repeated.add(what);
  }

  #isLost(what: string): boolean {
    return this.#acknowledged.isLost(what, this.#lost);
  }

  async #post(requestId: string, command: string, body: object): Promise<HttpResponse> {
    const key = randomUUID();
    const path = `/requests/${requestId}/${command}`;
    return (await retryUntilAnswered(() => this.#gateway.post(path, body, key))).response;
  }
}

function isDamaged(body: unknown): boolean {
  const waiting = isObject(body) && isObject(body.waiting) ? body.waiting : {};
  return waiting.reason === 'operator' && isObject(waiting.error) && waiting.error.code === 'run_damaged';
}
