import type { ModelFactSettings } from '@reins/model-catalog';
import type { ProviderCatalog, ProviderEntry } from './catalog.ts';

/** The settings of an installation that select models. */
export interface ModelSettings {
  readonly providers: Readonly<Record<string, ConfiguredProvider>>;
  readonly model: { readonly override?: string };
}

/** One provider of the settings. */
export interface ConfiguredProvider {
  readonly api: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  /** Facts about its models, by model id. */
  readonly models?: Readonly<Record<string, ModelFactSettings>>;
}

/** Derives the catalog from the settings. Keys are included as references, not as values. The first provider is the default. */
export function catalogOfSettings({ providers, model }: ModelSettings): ProviderCatalog {
  const entries = Object.entries(providers).map(([id, provider]) => entryOf(id, provider));
  return { providers: entries, default_provider_id: entries[0]?.id ?? null, default_model: model.override ?? null };
}

/** What a harness host found out about a provider. */
export interface FoundModels {
  readonly providerId: string;
  /** The models that its endpoint lists; absent if they are unknown. */
  readonly models?: readonly string[];
}

/** Adds the models that the endpoints list to a catalog. */
export function withFoundModels(catalog: ProviderCatalog, found: readonly FoundModels[]): ProviderCatalog {
  const providers = catalog.providers.map((provider): ProviderEntry => {
    const models = found.flatMap(({ providerId, models = [] }) => (providerId === provider.id ? models : []));
    if (provider.listed_models === undefined || models.length === 0) return provider;
    return { ...provider, listed_models: [...provider.listed_models, ...models] };
  });
  return { ...catalog, providers };
}

function entryOf(id: string, provider: ConfiguredProvider): ProviderEntry {
  const native = provider.api === 'anthropic-messages';
  const google = provider.api === 'google-generative-ai';
  return {
    id,
    kind: native ? 'anthropic_native' : 'openai_compatible',
    base_url: provider.baseUrl,
    api_key: provider.apiKeyEnv
      ? { env: provider.apiKeyEnv }
      : provider.apiKey
        ? { setting: `providers.${id}.apiKey` }
        : null,
    keyless: !provider.apiKeyEnv && !provider.apiKey,
    prefixed_models: true,
    listed_models: Object.keys(provider.models ?? {}),
    ...(google && { transport: 'google_compatible' as const }),
  };
}
