import { nearest, ReinsError } from '@reins/contracts';
import { isCatalogued } from '@reins/model-catalog';
import type { ProviderCatalog, ProviderEntry } from './catalog.ts';

/** What gateways list for all models with a prefix, such as `openai/*`. */
const WILDCARD = '/*';

/**
 * Whether a name that starts with the id of no provider may be sent to this one: it lists a model of that name. A prompt
 * must not reach a provider because of a typing error.
 */
export function listsWholeName({ id, base_url, listed_models }: ProviderEntry, name: string): boolean {
  if (listed_models === undefined) return true;
  const isListed = listed_models.some((each) =>
    each.endsWith(WILDCARD) ? name.startsWith(each.slice(0, -1)) : each === name,
  );
  return isListed || isCatalogued({ providerId: id, modelId: name, ...(base_url !== null && { baseUrl: base_url }) });
}

/** The error for a model whose provider is not configured. It names the providers that are. */
export function unknownProvider(name: string, expected: string, catalog: ProviderCatalog): ReinsError {
  const ids = catalog.providers.map(({ id }) => id);
  const configured = ids.length === 0 ? 'no provider is configured' : `configured: ${ids.join(', ')}`;
  return new ReinsError({
    code: 'model_provider_unconfigured',
    message: `the provider '${expected}' of the model '${name}' is not configured (${configured})`,
    path: 'model',
    hint: hintFor(name, expected, catalog, ids),
  });
}

function hintFor(name: string, expected: string, catalog: ProviderCatalog, ids: readonly string[]): string {
  const first = catalog.default_provider_id ?? ids[0];
  if (first === undefined) return `Configure providers.${expected} in the settings.`;
  const meant = nearest(expected, ids);
  if (meant !== undefined) return `Did you mean ${meant}${name.slice(expected.length)}?`;
  return `Write <provider>/<model> with a configured provider, or ${first}/${name} if ${first} has a model of this name. Set model.override to use one model for all workspaces.`;
}
