import type { Scope } from '../compile/scope.ts';
import type { PlanBudgets } from '../plan.ts';

/** Refuses a limit of the cost that cannot be evaluated: it would look like protection. */
export function checkCostBudget(
  { report, hasPrice }: Scope,
  budgets: PlanBudgets | undefined,
  models: readonly string[],
): void {
  const limit = budgets?.max_cost_usd;
  if (limit === undefined || !hasPrice) return;
  for (const model of new Set(models.filter((each) => !hasPrice(each))))
    report.strictError({
      code: 'workspace_field_invalid',
      at: ['budgets', 'max_cost_usd'],
      message: `the limit of ${limit} US dollars cannot be evaluated: the price of the model '${model}' is unknown`,
      specificHint:
        'set its prices in the settings (providers.<id>.models), or limit the tokens with budgets.max_tokens',
    });
}
