import type { Scope } from '../compile/scope.ts';
import type { PlanBudgets } from '../plan.ts';

/** The model that runs instead of the one that a workspace names, if its price is unknown. */
export interface UnpricedModel {
  readonly model: string;
  /** How to limit the cost, or what else to do, in lower case. */
  readonly hint: string;
}

/** Finds the model without a price for a model as the workspace names it; undefined if its price is known. */
export type UnpricedModels = (model: string) => UnpricedModel | undefined;

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
