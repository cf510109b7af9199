/** How a provider is spoken to. */
export type Transport = 'openai_compatible' | 'google_compatible' | 'anthropic_native';

/** What a provider is. A proxy stands in front of several vendors and is told who calls. */
export type ProviderKind = 'openai_compatible' | 'anthropic_native' | 'openrouter' | 'holaboss_proxy';

/** Where a secret is found. Its value is known to the harness host alone. */
export type SecretReference = { readonly env: string } | { readonly setting: string };

/** One provider that the installation has. */
export interface ProviderEntry {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly base_url: string | null;
  /** Null where the endpoint takes no key. */
  readonly api_key: SecretReference | null;
  /** Says that a provider without a key is complete: a model server on this machine, for example. */
  readonly keyless?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides what is known about the provider's host and id. */
  readonly transport?: Transport;
  /** Names that were used before → names that the provider has now. Laid over the built-in ones. */
  readonly model_aliases?: Readonly<Record<string, string>>;
  /** Allows model ids that begin with a vendor's name, as gateways have them. */
  readonly prefixed_models?: boolean;
}

/** A name of the installation's own for one model of one provider. */
export interface ModelEntry {
  readonly token: string;
  readonly provider_id: string;
  readonly model_id: string;
}

/** The providers and models of an installation, as data. */
export interface ProviderCatalog {
  readonly providers: readonly ProviderEntry[];
  readonly models?: readonly ModelEntry[];
  readonly default_provider_id?: string | null;
  /** The installation's choice where a request makes none; it goes before the workspace's. */
  readonly default_model?: string | null;
  /** Who a proxy is told that calls. */
  readonly proxy_user_id?: string | null;
}

/** The model where nobody chose one. */
export const BUILT_IN_MODEL = 'openai/gpt-5.4';

/** Vendors that a model's prefix may name without a configured provider of that name. */
export const VENDORS = ['openai', 'google', 'anthropic'] as const;
export type Vendor = (typeof VENDORS)[number];

/** Ids under which a managed proxy is known besides the one that it is configured under. */
export const PROXY_PREFIXES: readonly string[] = ['holaboss_model_proxy', 'holaboss'];

/** Model names that older settings hold → what they are called now, by provider. */
export const RENAMED_MODELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anthropic_direct: { 'claude-sonnet-4-5': 'claude-sonnet-4-6' },
  gemini_direct: { 'gemini-3.1-pro-preview': 'gemini-2.5-pro' },
};

/** Provider ids that speak Google's OpenAI-compatible form whatever their address is. */
export const GOOGLE_PROVIDER_IDS: readonly string[] = ['google', 'gemini', 'gemini_direct'];
export const GOOGLE_HOST = 'generativelanguage.googleapis.com';

/** What OpenRouter is told about who calls; configured headers of the same purpose give way. */
export const OPENROUTER_ATTRIBUTION: Readonly<Record<string, string>> = { 'X-Title': 'Reins' };
export const OPENROUTER_LEGACY_HEADERS: readonly string[] = ['http-referer', 'x-title', 'x-openrouter-title'];

/** A secret's place as it is written into a host request. */
export function secretPlaceholder(reference: SecretReference): string {
  return 'env' in reference ? `{env:${reference.env}}` : `{setting:${reference.setting}}`;
}
