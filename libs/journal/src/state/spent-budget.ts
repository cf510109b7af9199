import { isObject, type JsonObject, type StageBudget, type Usage } from '@reins/contracts';
import { rootRequestId } from '../facts/parent-field.ts';
import type { RunState } from './run-state.ts';

/** What a run has used apart from the results of its stages: in failed attempts, and before questions. */
export const usageOutsideResults = ({ effects }: Pick<RunState, 'effects'>): Usage[] =>
  [...effects.values()].flatMap(({ failures, usageBeforeQuestions = [] }) => [
    ...usageBeforeQuestions,
    ...failures.flatMap(({ usage }) => usage ?? []),
  ]);

/** The request of a stage of a child run, with the request whose stages share its budget. */
export function withSharedBudget(request: JsonObject, { parent }: Pick<RunState, 'parent'>): JsonObject {
  const { budget } = request;
  const sharedBy = parent && rootRequestId(parent);
  return isObject(budget) && sharedBy !== undefined ? { ...request, budget: { ...budget, sharedBy } } : request;
}

/**
 * The request of a stage, with this usage added to what its run has used of its budget. The process of the run knows
 * only the results of its stages. A request without a budget stays as it is.
 */
export function withSpent(request: JsonObject, spent: () => readonly (Usage | undefined)[]): JsonObject {
  const { budget } = request;
  const usages = isObject(budget) ? spent().filter((usage) => usage !== undefined) : [];
  if (!isObject(budget) || usages.length === 0) return request;
  const { usedTokens = 0, usedCostUsd = 0 } = budget as unknown as Partial<StageBudget>;
  const sum = usages.reduce(
    (total, { inputTokens, outputTokens, costUsd = 0 }) => ({
      usedTokens: total.usedTokens + inputTokens + outputTokens,
      usedCostUsd: total.usedCostUsd + costUsd,
    }),
    { usedTokens, usedCostUsd },
  );
  return { ...request, budget: { ...budget, ...sum } };
}
