import { defined, isReinsError, type Problem } from '@reins/contracts';
import { modelFacts } from '@reins/model-catalog';
import { catalogOfSettings, type ModelSettings } from './settings-catalog.ts';
import { resolveModelTarget } from './target.ts';

/**
 * Whether the installation knows the price of the model that a run uses when its workspace names this one.
 * @param model as the workspace names it, such as `openai/gpt-5.4`
 */
export const hasPrice = (model: string, settings: ModelSettings): boolean =>
  isPriced(settings.model.override?.trim() || model, settings);

/**
 * Why a limit of the cost cannot be evaluated for the model that a request names: its price is unknown. It replaces the
 * model of the workspace and that of the installation. Undefined without a problem.
 * @param limit in US dollars
 */
export function requestPriceProblem(
  model: string | null | undefined,
  limit: number | undefined,
  settings: ModelSettings,
): Problem | undefined {
  const name = model?.trim() ?? '';
  if (name === '' || limit === undefined || isPriced(name, settings)) return undefined;
  return {
    code: 'budget_exceeded',
    message: `the limit of ${limit} US dollars cannot be evaluated: the price of the model '${name}' is unknown`,
    path: 'budgets.max_cost_usd',
    hint: 'Set its prices in the settings (providers.<id>.models), name a model with a known price, or limit the tokens with budgets.max_tokens.',
  };
}

function isPriced(used: string, settings: ModelSettings): boolean {
  const { providers } = settings;
  try {
    const { provider, providerId: vendor, modelId } = resolveModelTarget(used, catalogOfSettings(settings));
    const providerId = provider?.id ?? vendor;
    const { baseUrl, models } = (Object.hasOwn(providers, providerId) && providers[providerId]) || {};
    const facts = modelFacts({ providerId, modelId, ...defined({ baseUrl }), settings: models });
    return facts.prices !== undefined;
  } catch (error) {
    if (isReinsError(error)) return false;
    throw error;
  }
}
