import type { IncomingMessage } from 'node:http';
import { defined } from '@reins/contracts';
import type { Prices } from '@reins/model-catalog';
import type { CallEstimate } from './estimate.ts';
import { ANSWER_CUT, type EndedCall, usageOf } from './metered-call.ts';
import { UsageMeter } from './usage-meter.ts';
import type { WireForm } from './wire-usage.ts';

const FAILED = 400;

/** Measures one call of a model, from its start to its end. */
export class CallRecorder {
  readonly #form: WireForm;
  readonly #estimate: CallEstimate;
  readonly #prices: Prices | undefined;
  #from = 0;
  #startedAt: number | undefined;
  #status: number | undefined;
  #meter: UsageMeter | undefined;
  #received = false;
  #isCut = false;

  constructor(form: WireForm, estimate: CallEstimate, prices: Prices | undefined) {
    this.#form = form;
    this.#estimate = estimate;
    this.#prices = prices;
  }

  /** Call it when the call is sent, after it has waited for its provider. */
  start(): void {
    this.#from = Date.now();
    this.#startedAt = performance.now();
  }

  /** Call it when the head of the answer has arrived, before its body is read. */
  answers(reply: IncomingMessage): void {
    this.#status = reply.statusCode ?? 0;
    if (this.#status >= FAILED) return;
    const meter = new UsageMeter(this.#form, reply.headers);
    this.#meter = meter;
    reply.on('data', (bytes: Buffer) => meter.add(bytes));
  }

  /** The call was ended after it was sent. Its provider may go on, and bill the answer. */
  cut(): void {
    this.#isCut = true;
  }

  /** The answer was received and forwarded to its last byte. */
  received(): void {
    this.#received = true;
  }

  /** Undefined if the call was never sent. */
  async end(): Promise<EndedCall | undefined> {
    const startedAt = this.#startedAt;
    if (startedAt === undefined) return undefined;
    const answer = await this.#meter?.end();
    const { cacheWriteTokens, ...usage } = usageOf(answer, this.#estimate, this.#prices);
    const error = this.#error;
    const firstTokenMs = answer?.firstTokenAt === undefined ? undefined : answer.firstTokenAt - startedAt;
    return {
      operation: this.#form === 'google' ? 'generate_content' : 'chat',
      from: this.#from,
      to: Date.now(),
      call: {
        ...usage,
        durationMs: Math.round(performance.now() - startedAt),
        ...defined({ status: this.#status }),
        ...(firstTokenMs !== undefined && { firstTokenMs: Math.round(firstTokenMs) }),
      },
      ...defined({ cacheWriteTokens, error }),
    };
  }

  get #error(): string | undefined {
    if (this.#status === undefined) return this.#isCut ? ANSWER_CUT : 'model_unavailable';
    if (this.#status >= FAILED) return String(this.#status);
    return this.#received ? undefined : ANSWER_CUT;
  }
}
