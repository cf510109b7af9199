import { defined, isObject } from '@reins/contracts';
import type { ModelFactSettings } from '@reins/model-catalog';
import {
  type ModelEntry,
  OPENROUTER_HOST,
  type ProviderCatalog,
  type ProviderEntry,
  type ProviderKind,
} from './catalog.ts';

/** The settings of an installation that select models. */
export interface ModelSettings {
  readonly providers: Readonly<Record<string, ConfiguredProvider>>;
  readonly model: { readonly override?: string; readonly aliases?: Readonly<Record<string, string>> };
}

/** One provider of the settings. */
export interface ConfiguredProvider {
  readonly api: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  /** Facts about its models, by model id. */
  readonly models?: Readonly<Record<string, ModelFactSettings>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly aliases?: Readonly<Record<string, string>>;
  readonly proxyUserId?: string;
}

/** Derives the catalog from the settings. Keys are included as references, not as values. The first provider is the default. */
export function catalogOfSettings({ providers, model }: ModelSettings): ProviderCatalog {
  const entries = Object.entries(providers).map(([id, provider]) => entryOf(id, provider));
  const proxyUserId = Object.values(providers).find((provider) => provider.proxyUserId)?.proxyUserId;
  return {
    providers: entries,
    models: Object.entries(model.aliases ?? {}).map(([token, name]) => modelOf(token, name)),
    default_provider_id: entries[0]?.id ?? null,
    default_model: model.override ?? null,
    ...defined({ proxy_user_id: proxyUserId }),
  };
}

function modelOf(token: string, name: string): ModelEntry {
  const [provider_id = '', ...rest] = name.trim().split('/');
  return { token, provider_id, model_id: rest.join('/'), alias: true };
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
  const google = provider.api === 'google-generative-ai';
  return {
    id,
    kind: kindOf(provider),
    base_url: provider.baseUrl,
    api_key: keyReference(id, provider),
    keyless: keyReference(id, provider) === null,
    prefixed_models: true,
    listed_models: Object.keys(provider.models ?? {}),
    ...(google && { transport: 'google_compatible' as const }),
    ...(provider.headers && { headers: provider.headers }),
    ...(provider.aliases && { model_aliases: provider.aliases }),
  };
}

/** Where a harness host finds the key. Null: the provider has none. */
function keyReference(id: string, { apiKey, apiKeyEnv, apiKeyFile }: ConfiguredProvider): ProviderEntry['api_key'] {
  if (apiKeyFile) return { setting: `providers.${id}.apiKeyFile` };
  if (apiKeyEnv) return { env: apiKeyEnv };
  return apiKey ? { setting: `providers.${id}.apiKey` } : null;
}

function kindOf({ api, baseUrl, proxyUserId }: ConfiguredProvider): ProviderKind {
  if (proxyUserId) return 'holaboss_proxy';
  if (api === 'anthropic-messages') return 'anthropic_native';
  const isOpenRouter = URL.canParse(baseUrl) && new URL(baseUrl).hostname === OPENROUTER_HOST;
  return isOpenRouter && api === 'openai-completions' ? 'openrouter' : 'openai_compatible';
}

const PLACEHOLDER = /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The environment variables whose values are in the headers of a provider. */
export function headerVariables({ headers }: Pick<ConfiguredProvider, 'headers'>): string[] {
  if (!isObject(headers)) return [];
  return Object.values(headers).flatMap((value) =>
    [...String(value).matchAll(PLACEHOLDER)].map(([, name = '']) => name),
  );
}

/** The headers of a provider with the values of their variables. A variable that is not set is empty. */
export function headersWith(
  { headers = {} }: Pick<ConfiguredProvider, 'headers'>,
  variable: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(PLACEHOLDER, (_, key) => variable(key) ?? '')]),
  );
}
