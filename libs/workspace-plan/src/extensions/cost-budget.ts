import type { Scope } from '../compile/scope.ts';
import type { PlanBudgets } from '../plan.ts';

/** Refuses a limit of the cost that cannot be evaluated: it would look like protection. */
export function checkCostBudget(
  { report, unpriced }: Scope,
  budgets: PlanBudgets | undefined,
  models: readonly string[],
): void {
  const limit = budgets?.max_cost_usd;
  if (limit === undefined || !unpriced) return;
  const found = models.flatMap((model) => unpriced(model) ?? []);
  for (const [model, hint] of new Map(found.map((each) => [each.model, each.hint])))
    report.strictError({
      code: 'workspace_field_invalid',
      at: ['budgets', 'max_cost_usd'],
      message: `the limit of ${limit} US dollars cannot be evaluated: the price of the model '${model}' is unknown`,
      specificHint: hint,
    });
}
