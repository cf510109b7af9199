/** The protocol of a provider. */
export type Transport = 'openai_compatible' | 'google_compatible' | 'anthropic_native';

/** The kind of a provider. A proxy forwards to several vendors and receives the identity of the caller. */
export type ProviderKind = 'openai_compatible' | 'anthropic_native' | 'openrouter' | 'holaboss_proxy';

/** Where to find a secret. Only the harness host knows its value. */
export type SecretReference = { readonly env: string } | { readonly setting: string };

/** A provider that the installation configures. */
export interface ProviderEntry {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly base_url: string | null;
  /** Null when the endpoint requires no key. */
  readonly api_key: SecretReference | null;
  /** Marks a provider without a key as complete, for example a local model server. */
  readonly keyless?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overrides the transport that follows from the provider's host and id. */
  readonly transport?: Transport;
  /** Former model names → current names at this provider. They extend the built-in ones. */
  readonly model_aliases?: Readonly<Record<string, string>>;
  /** Allows model ids that start with a vendor's name, as gateways use them. */
  readonly prefixed_models?: boolean;
  /**
   * Names of its models. As the default provider, it gets a name that starts with another id only if this list has it.
   * Absent: it gets every such name.
   */
  readonly listed_models?: readonly string[];
}

/** A custom name of the installation for one model of one provider. */
export interface ModelEntry {
  readonly token: string;
  /** Only the token selects the model, not its id: the id may be that of a model of another provider. */
  readonly alias?: true;
  readonly provider_id: string;
  readonly model_id: string;
}

/** The providers and models of an installation. */
export interface ProviderCatalog {
  readonly providers: readonly ProviderEntry[];
  readonly models?: readonly ModelEntry[];
  readonly default_provider_id?: string | null;
  /** The model for requests that do not select one. It takes precedence over the model of the workspace. */
  readonly default_model?: string | null;
  /** The user id that is sent to a proxy. */
  readonly proxy_user_id?: string | null;
}

/** The model that is used when none is configured. */
export const BUILT_IN_MODEL = 'openai/gpt-5.4';

/** Vendors that the prefix of a model may name without a configured provider. */
export const VENDORS = ['openai', 'google', 'anthropic'] as const;
export type Vendor = (typeof VENDORS)[number];

/** Ids of a managed proxy, in addition to its configured id. */
export const PROXY_PREFIXES: readonly string[] = ['holaboss_model_proxy', 'holaboss'];

/** Former model names → current names, by provider. */
export const RENAMED_MODELS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  anthropic_direct: { 'claude-sonnet-4-5': 'claude-sonnet-4-6' },
  gemini_direct: { 'gemini-3.1-pro-preview': 'gemini-2.5-pro' },
};

/** Provider ids that always use Google's OpenAI-compatible protocol. */
export const GOOGLE_PROVIDER_IDS: readonly string[] = ['google', 'gemini', 'gemini_direct'];
export const GOOGLE_HOST = 'generativelanguage.googleapis.com';

export const OPENROUTER_HOST = 'openrouter.ai';

/** Headers that identify Reins to OpenRouter. They replace configured headers of the same purpose. */
export const OPENROUTER_ATTRIBUTION: Readonly<Record<string, string>> = { 'X-Title': 'Reins' };
export const OPENROUTER_LEGACY_HEADERS: readonly string[] = ['http-referer', 'x-title', 'x-openrouter-title'];

/** The placeholder of a secret in a host request. */
export function secretPlaceholder(reference: SecretReference): string {
  return 'env' in reference ? `{env:${reference.env}}` : `{setting:${reference.setting}}`;
}
