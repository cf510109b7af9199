import { CATALOGUE_SOURCE } from '@reins/model-catalog';
import type { Settings } from '@reins/service-kit';

/** Identifies the catalogue, and the settings that prices depend on, without keys. */
export function pricesVersion({ providers, model }: Pick<Settings, 'providers' | 'model'>): string {
  const relevant = Object.entries(providers).map(([id, { api, baseUrl, models, aliases }]) => {
    return [id, api, baseUrl, models ?? null, aliases ?? null];
  });
  return JSON.stringify([CATALOGUE_SOURCE.version, relevant, model.override ?? null, model.aliases ?? null]);
}
