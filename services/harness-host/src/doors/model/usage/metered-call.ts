import { defined, type ModelCall, type Usage } from '@reins/contracts';
import { costOf, type Prices } from '@reins/model-catalog';
import type { CallEstimate } from './estimate.ts';
import type { MeteredAnswer } from './usage-meter.ts';

/** The error of a call that ended before its whole answer had arrived. */
export const ANSWER_CUT = 'model_answer_cut';

/** A call of a model that has ended. Times are milliseconds since the epoch. */
export interface EndedCall {
  readonly call: Omit<ModelCall, 'provider' | 'model'>;
  readonly cacheWriteTokens?: number;
  readonly operation: 'chat' | 'generate_content';
  readonly from: number;
  readonly to: number;
  /** A code, if the call failed or was cut. */
  readonly error?: string;
}

/** A call with its model, for metrics and spans. */
export interface MeasuredCall extends Omit<EndedCall, 'call'> {
  readonly call: ModelCall;
}

/** The tokens and cost of a call. */
type CallUsage = Pick<ModelCall, 'usage' | 'inputTokens' | 'cachedInputTokens' | 'outputTokens' | 'costUsd'> & {
  readonly cacheWriteTokens?: number;
};

/**
 * The usage of an answer. `reported`: the answer has the numbers. `estimated`: it was cut before it had them.
 * `unknown`: it is complete without them, or is no answer.
 */
export function usageOf(
  answer: MeteredAnswer | undefined,
  estimate: CallEstimate,
  prices: Prices | undefined,
): CallUsage {
  if (!answer || (answer.complete && !answer.final)) return { usage: 'unknown' };
  const tokens = {
    inputTokens: answer.input ?? estimate.inputTokens,
    outputTokens: answer.final ? (answer.output ?? 0) : Math.max(answer.output ?? 0, Math.ceil(answer.textTokens)),
    ...defined({ cachedInputTokens: answer.cached, cacheWriteTokens: answer.written }),
  };
  const reported = answer.final && answer.input !== undefined;
  const costUsd = answer.cost ?? costOf(tokens, prices);
  return { usage: reported ? 'reported' : 'estimated', ...tokens, ...defined({ costUsd }) };
}

/** The sum of the calls of a run that used tokens. Undefined if nothing is known. */
export function sumOf(
  calls: readonly Pick<EndedCall, 'call'>[],
  named: Pick<Usage, 'provider' | 'model'>,
): Usage | undefined {
  const answered = calls.map(({ call }) => call).filter(({ status = 0 }) => status > 0 && status < 400);
  const counted = answered.filter(({ usage }) => usage !== 'unknown');
  if (counted.length === 0) return undefined;
  const sum = (tokens: (call: ModelCallUsage) => number | undefined): number =>
    counted.reduce((total, call) => total + (tokens(call) ?? 0), 0);
  const priced = answered.every(({ costUsd }) => costUsd !== undefined);
  const reported = answered.every(({ usage }) => usage === 'reported');
  return {
    ...named,
    inputTokens: sum(({ inputTokens }) => inputTokens),
    cachedInputTokens: sum(({ cachedInputTokens }) => cachedInputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    ...(priced && { costUsd: sum(({ costUsd }) => costUsd) }),
    source: reported ? 'reported' : 'estimated',
  };
}

type ModelCallUsage = EndedCall['call'];
