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
}

/** Derives the catalog from the settings. Keys are included as references, not as values. The first provider is the default. */
export function catalogOfSettings({ providers, model }: ModelSettings): ProviderCatalog {
  const entries = Object.entries(providers).map(([id, provider]) => entryOf(id, provider));
  return { providers: entries, default_provider_id: entries[0]?.id ?? null, default_model: model.override ?? null };
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
    ...(google && { transport: 'google_compatible' as const }),
  };
}
