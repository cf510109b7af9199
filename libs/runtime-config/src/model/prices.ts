import { isReinsError } from '@reins/contracts';
import { modelFacts } from '@reins/model-catalog';
import { catalogOfSettings, type ModelSettings } from './settings-catalog.ts';
import { resolveModelTarget } from './target.ts';

/**
 * Whether the installation knows the price of the model that a run uses when its workspace names this one.
 * @param model as the workspace names it, such as `openai/gpt-5.4`
 */
export function hasPrice(model: string, settings: ModelSettings): boolean {
  const { providers } = settings;
  try {
    const used = settings.model.override?.trim() || model;
    const { provider, providerId: vendor, modelId } = resolveModelTarget(used, catalogOfSettings(settings));
    const providerId = provider?.id ?? vendor;
    const { baseUrl, models } = (Object.hasOwn(providers, providerId) && providers[providerId]) || {};
    const facts = modelFacts({ providerId, modelId, ...(baseUrl !== undefined && { baseUrl }), settings: models });
    return facts.prices !== undefined;
  } catch (error) {
    if (isReinsError(error)) return false;
    throw error;
  }
}
