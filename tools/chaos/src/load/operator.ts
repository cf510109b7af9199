import { randomUUID } from 'node:crypto';
import { isObject } from '@reins/contracts';
import { type Gateway, textField } from '../system/gateway.ts';
import { questionOf } from './answer-questions.ts';
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
 * Does what docs/operating.md asks for after a restore: resumes damaged requests, and sends lost commands again. Requests
 * that were accepted after the last restore get no help.
 */
export class Operator {
  readonly #gateway: Gateway;
  readonly #isRestored: (requestId: string) => boolean;
  readonly #resumed = new Set<string>();
  readonly #repeated = new Set<string>();

  /** @param isRestored whether a request was accepted before the last restore */
  constructor(gateway: Gateway, isRestored: (requestId: string) => boolean) {
    this.#gateway = gateway;
    this.#isRestored = isRestored;
  }

  get report(): OperatorReport {
    return { resumed: this.#resumed.size, repeated: this.#repeated.size };
  }

  /** @param open requests that have not ended */
  async help(open: readonly AcceptedRequest[]): Promise<void> {
    for (const request of open) if (this.#isRestored(request.requestId)) await this.#help(request);
  }

  async #help({ requestId, planned }: AcceptedRequest): Promise<void> {
    const { response } = await retryUntilAnswered(() => this.#gateway.get(`/requests/${requestId}`));
    if (isDamaged(response.body)) {
      this.#resumed.add(requestId);
      return this.#post(requestId, 'resume', {});
    }
    const effectId = questionOf(response.body);
    if (planned.answer !== undefined && effectId !== undefined) {
      this.#repeated.add(requestId);
      return this.#post(requestId, 'answers', { effectId, answer: planned.answer });
    }
    if (planned.cancelAfterMs === undefined || textField(response, 'status') === 'cancelled') return;
    this.#repeated.add(requestId);
    return this.#post(requestId, 'cancel', {});
  }

  async #post(requestId: string, command: string, body: object): Promise<void> {
    const key = randomUUID();
    await retryUntilAnswered(() => this.#gateway.post(`/requests/${requestId}/${command}`, body, key));
  }
}

function isDamaged(body: unknown): boolean {
  const waiting = isObject(body) && isObject(body.waiting) ? body.waiting : {};
  return waiting.reason === 'operator' && isObject(waiting.error) && waiting.error.code === 'run_damaged';
}
