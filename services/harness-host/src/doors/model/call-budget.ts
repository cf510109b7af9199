import type { ErrorInfo, StageBudget } from '@reins/contracts';
import { type ModelFacts, maximumCost } from '@reins/model-catalog';
import type { CallEstimate } from './usage/estimate.ts';
import { ANSWER_CUT, type EndedCall } from './usage/metered-call.ts';

/** What a call may use at most. Its real usage replaces it when the call has ended. */
export interface Reservation {
  tokens: number;
  costUsd: number;
}

/** What calls may use. Each reserves its estimated input and its maximum output before it is forwarded. */
export interface CallBudget {
  /**
   * Reserves a call. Resolves with why it does not fit, if it does not.
   * @throws ReinsError of the bus when it is unknown what is left
   */
  reserve(estimate: CallEstimate): Promise<Reservation | ErrorInfo>;
  /** Gives back the reservation of a call that was not sent. Never rejects. */
  release(reservation: Reservation): Promise<void>;
  /** Replaces a reservation by the usage of its call. Never rejects. */
  settle(reservation: Reservation, ended: Pick<EndedCall, 'call' | 'error'>): Promise<void>;
}

const FAILED = 400;

/** What a call may use at most. Without prices, its cost is 0. */
export function maximumUse(estimate: CallEstimate, model: ModelFacts): Reservation {
  const output = maximumOutput(estimate, model);
  const { prices } = model;
  return {
    tokens: estimate.inputTokens + output,
    costUsd: prices ? maximumCost(estimate.inputTokens, output, prices) : 0,
  };
}

function maximumOutput(
  { inputTokens, maxOutputTokens, answers = 1 }: CallEstimate,
  { maxOutputTokens: limit, contextWindow }: ModelFacts,
): number {
  return answers * (maxOutputTokens ?? limit ?? Math.max(0, (contextWindow ?? 0) - inputTokens));
}

/**
 * What a call has used. A call of unknown usage counts as its reservation, unless the call failed. So does one that was
 * cut: its provider may complete and bill the answer.
 */
export function realUse(reservation: Reservation, { call, error }: Pick<EndedCall, 'call' | 'error'>): Reservation {
  const { status = 0, usage, inputTokens = 0, outputTokens = 0, costUsd } = call;
  if (usage !== 'reported' && error === ANSWER_CUT) return { ...reservation };
  if (usage === 'unknown' && status > 0 && status < FAILED) return { ...reservation };
  return {
    tokens: inputTokens + outputTokens,
    costUsd: usage === 'unknown' ? 0 : (costUsd ?? reservation.costUsd),
  };
}

/** What calls use together. */
export const sumOfUses = (uses: Iterable<Reservation>): Reservation =>
  [...uses].reduce((sum, { tokens, costUsd }) => ({ tokens: sum.tokens + tokens, costUsd: sum.costUsd + costUsd }), {
    tokens: 0,
    costUsd: 0,
  });

export interface BudgetState {
  /** What the other calls use. */
  readonly used: Reservation;
  readonly limits: Pick<StageBudget, 'maxTokens' | 'maxCostUsd'>;
  readonly model: ModelFacts;
}

/** Why a call does not fit into what is left; undefined if it does. */
export function refusalOf(
  wanted: Reservation,
  { used, limits: { maxTokens, maxCostUsd }, model: { prices } }: BudgetState,
): ErrorInfo | undefined {
  if (maxCostUsd !== undefined && !prices) return UNPRICED;
  const tokensLeft = (maxTokens ?? Number.POSITIVE_INFINITY) - used.tokens;
  if (wanted.tokens > tokensLeft)
    return exceeded(
      'max_tokens',
      `a model call may use ${wanted.tokens} tokens, and ${Math.max(0, tokensLeft)} of ${maxTokens} are left`,
    );
  const costLeft = (maxCostUsd ?? Number.POSITIVE_INFINITY) - used.costUsd;
  if (wanted.costUsd <= costLeft) return undefined;
  const left = `${dollars(Math.max(0, costLeft))} of ${dollars(maxCostUsd ?? 0)} are left`;
  return exceeded('max_cost_usd', `a model call may cost ${dollars(wanted.costUsd)}, and ${left}`);
}

/** A call of unknown cost cannot be compared with a limit of the cost. */
const UNPRICED: ErrorInfo = {
  code: 'budget_exceeded',
  message: 'the price of the model is unknown, so the cost limit of the run cannot be enforced',
  path: 'budgets.max_cost_usd',
  hint:
    'Set input_price and output_price of the model (providers.<id>.models.<model>), ' +
    'or replace max_cost_usd with budgets.max_tokens.',
};

const LESS = 'Raise the budget, or, on pi and openai_chat, lower harness.<runtime id>.maxOutputTokens.';

const exceeded = (name: string, message: string): ErrorInfo => ({
  code: 'budget_exceeded',
  message: `the call does not fit into the budget of the run: ${message}`,
  path: `budgets.${name}`,
  hint: LESS,
});

const dollars = (amount: number): string => `$${amount.toFixed(4)}`;
