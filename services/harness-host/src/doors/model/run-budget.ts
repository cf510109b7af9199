import type { ErrorInfo, StageBudget } from '@reins/contracts';
import { type ModelFacts, maximumCost } from '@reins/model-catalog';
import type { CallEstimate } from './usage/estimate.ts';
import type { EndedCall } from './usage/metered-call.ts';

/** What a call may use at most. Its real usage replaces it when the call has ended. */
export interface Reservation {
  tokens: number;
  costUsd: number;
}

const FAILED = 400;

/**
 * The budget of a run, as far as the calls of one stage are concerned. Each call reserves its estimated input and its
 * maximum output before it is forwarded.
 */
export class RunBudget {
  readonly #budget: StageBudget;
  readonly #model: ModelFacts;
  readonly #reserved = new Set<Reservation>();

  constructor(budget: StageBudget, model: ModelFacts) {
    this.#budget = budget;
    this.#model = model;
  }

  /** Reserves a call. Returns why it does not fit, if it does not. */
  reserve(estimate: CallEstimate): Reservation | ErrorInfo {
    const { maxTokens, maxCostUsd, usedTokens, usedCostUsd } = this.#budget;
    const { prices } = this.#model;
    const output = this.#maximumOutput(estimate);
    const wanted: Reservation = {
      tokens: estimate.inputTokens + output,
      costUsd: prices ? maximumCost(estimate.inputTokens, output, prices) : 0,
    };
    if (maxCostUsd !== undefined && !prices) return UNPRICED;
    const tokensLeft = (maxTokens ?? Number.POSITIVE_INFINITY) - usedTokens - this.#sum('tokens');
    if (wanted.tokens > tokensLeft)
      return exceeded(
        'max_tokens',
        `a model call may use ${wanted.tokens} tokens, and ${Math.max(0, tokensLeft)} of ${maxTokens} are left`,
      );
    const costLeft = (maxCostUsd ?? Number.POSITIVE_INFINITY) - usedCostUsd - this.#sum('costUsd');
    if (wanted.costUsd > costLeft)
      return exceeded(
        'max_cost_usd',
        `a model call may cost ${dollars(wanted.costUsd)}, and ${dollars(Math.max(0, costLeft))} of ${dollars(maxCostUsd ?? 0)} are left`,
      );
    this.#reserved.add(wanted);
    return wanted;
  }

  /** Gives back the reservation of a call that was not sent. */
  release(reservation: Reservation): void {
    this.#reserved.delete(reservation);
  }

  /** Replaces a reservation by the usage of its call. A call of unknown usage keeps it, unless the call failed. */
  settle(reservation: Reservation, { call }: Pick<EndedCall, 'call'>): void {
    const { status = 0, usage, inputTokens = 0, outputTokens = 0, costUsd } = call;
    if (usage === 'unknown' && status > 0 && status < FAILED) return;
    reservation.tokens = inputTokens + outputTokens;
    reservation.costUsd = usage === 'unknown' ? 0 : (costUsd ?? reservation.costUsd);
  }

  #maximumOutput({ inputTokens, maxOutputTokens }: CallEstimate): number {
    const { maxOutputTokens: limit, contextWindow } = this.#model;
    if (maxOutputTokens !== undefined) return maxOutputTokens;
    return limit ?? Math.max(0, (contextWindow ?? 0) - inputTokens);
  }

  #sum(field: keyof Reservation): number {
    return [...this.#reserved].reduce((total, reservation) => total + reservation[field], 0);
  }
}

/** A call of unknown cost cannot be compared with a limit of the cost. */
const UNPRICED: ErrorInfo = {
  code: 'budget_exceeded',
  message: 'the price of the model is unknown, so its calls cannot be kept within the limit of the cost',
  path: 'budgets.max_cost_usd',
  hint:
    'Set input_price and output_price of the model (providers.<id>.models.<model>), ' +
    'or replace max_cost_usd by budgets.max_tokens.',
};

const LESS = 'Raise the budget, or lower the maximum output of a call (harness.<runtime id>.max_output_tokens).';

const exceeded = (name: string, message: string): ErrorInfo => ({
  code: 'budget_exceeded',
  message: `the call does not fit into the budget of the run: ${message}`,
  path: `budgets.${name}`,
  hint: LESS,
});

const dollars = (amount: number): string => `$${amount.toFixed(4)}`;
