import { defined, isReinsError, type Problem } from '@reins/contracts';
import { modelFacts, SCRIPTED_MODEL } from '@reins/model-catalog';
import { catalogOfSettings, type ModelSettings } from './settings-catalog.ts';
import { resolveModelTarget } from './target.ts';

/** A model whose price is unknown, and what to do about it. */
export interface UnpricedModel {
  readonly model: string;
  readonly hint: string;
}

/**
 * The model that a run uses for this model of its workspace; undefined if its price is known.
 * @param model as the workspace names it, such as `openai/gpt-5.4`
 */
export function unpricedModel(model: string, settings: ModelSettings): UnpricedModel | undefined {
  const used = settings.model.override?.trim() || model;
  return isPriced(used, settings) ? undefined : { model: used, hint: priceHint(used, settings) };
}

/** How the cost can be limited without the price of this model. */
function priceHint(used: string, settings: ModelSettings): string {
  const tokens = 'limit the tokens with budgets.max_tokens';
  if (used === `${SCRIPTED_MODEL.providerId}/${SCRIPTED_MODEL.modelId}`)
    return `${tokens}, or configure a provider: the scripted model has no price`;
  const providerId = providerOf(used, settings);
  if (providerId === undefined) return `name a model with a known price, or ${tokens}`;
  return `set its prices in the settings (providers.${providerId}.models), name a model with a known price, or ${tokens}`;
}

/** The configured provider that serves a model. */
function providerOf(used: string, settings: ModelSettings): string | undefined {
  try {
    const { provider } = resolveModelTarget(used, catalogOfSettings(settings));
    return provider !== null && Object.hasOwn(settings.providers, provider.id) ? provider.id : undefined;
  } catch (error) {
    if (isReinsError(error)) return undefined;
    throw error;
  }
}

/**
 * Why a cost limit cannot be evaluated for the model of a request: its price is unknown. This model replaces the
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
    hint: sentence(priceHint(name, settings)),
  };
}

const sentence = (hint: string): string => `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`;

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
