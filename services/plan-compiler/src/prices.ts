import { isReinsError } from '@reins/contracts';
import { CATALOGUE_SOURCE, modelFacts } from '@reins/model-catalog';
import { catalogOfSettings, resolveModelTarget } from '@reins/runtime-config';
import type { Settings } from '@reins/service-kit';

type ModelSettings = Pick<Settings, 'providers' | 'model'>;

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

/** Identifies the catalogue, and the settings that prices depend on, without keys. */
export function pricesVersion({ providers, model }: ModelSettings): string {
  const relevant = Object.entries(providers).map(([id, { baseUrl, models }]) => [id, baseUrl, models ?? null]);
  return JSON.stringify([CATALOGUE_SOURCE.version, relevant, model.override ?? null]);
}
