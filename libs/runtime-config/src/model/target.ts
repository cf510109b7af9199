import { ReinsError } from '@reins/contracts';
import {
  GOOGLE_HOST,
  GOOGLE_PROVIDER_IDS,
  PROXY_PREFIXES,
  type ProviderCatalog,
  type ProviderEntry,
  RENAMED_MODELS,
  type Transport,
  VENDORS,
  type Vendor,
} from './catalog.ts';

/** Where a model's calls go: who is named, who is called, in which form. */
export interface ModelTarget {
  /** The provider as the executor is told it; behind a proxy, the vendor. */
  readonly providerId: string;
  readonly modelId: string;
  readonly transport: Transport;
  /** The configured provider that answers, or null where the name alone decided. */
  readonly provider: ProviderEntry | null;
}

/**
 * Routes a model name. First match wins: a model of the catalog by its token, by its only use of that model id, `provider/model`
 * of a configured provider, a vendor's prefix, a bare Claude name, the default provider, what the name itself suggests. A vendor that
 * nobody serves gives way to a default provider that may know it.
 */
export function resolveModelTarget(selected: string, catalog: ProviderCatalog): ModelTarget {
  const name = selected.trim();
  if (name === '') throw invalid(selected, 'model must be a non-empty string');
  return (
    fromCatalogModel(name, catalog) ??
    fromConfiguredProvider(name, catalog) ??
    fromProxyPrefix(name, catalog) ??
    fromVendorPrefix(name, catalog) ??
    fromBareClaude(name, catalog) ??
    fromDefaultProvider(name, catalog) ??
    vendorTarget(vendorOf(name), name, null)
  );
}

function fromCatalogModel(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  const models = catalog.models ?? [];
  const sameId = models.filter((model) => model.model_id === name);
  const entry = models.find((model) => model.token === name) ?? (sameId.length === 1 ? sameId[0] : undefined);
  if (entry === undefined) return undefined;
  const provider = findProvider(catalog, entry.provider_id);
  if (provider === undefined) {
    throw invalid(name, `model '${name}' names provider '${entry.provider_id}', which is not configured`);
  }
  return providerTarget(provider, entry.model_id, name);
}

function fromConfiguredProvider(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  const { prefix, rest } = split(name);
  const provider = prefix === undefined ? undefined : findProvider(catalog, prefix);
  if (provider === undefined) return undefined;
  const direct = provider.kind === 'openai_compatible' || provider.kind === 'anthropic_native';
  const inner = split(rest).prefix;
  if (direct && provider.prefixed_models !== true && inner !== undefined && isProviderName(inner, catalog)) {
    throw invalid(name, `model '${name}' names a provider twice; '${provider.id}' takes bare model ids`);
  }
  return providerTarget(provider, rest, name);
}

function fromProxyPrefix(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  const { prefix, rest } = split(name);
  if (prefix === undefined || !PROXY_PREFIXES.includes(prefix)) return undefined;
  const proxy = proxyOf(catalog);
  if (proxy === undefined) throw invalid(name, `model '${name}' needs a managed model proxy, and none is configured`);
  return providerTarget(proxy, rest, name);
}

function fromVendorPrefix(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  const { prefix, rest } = split(name);
  if (prefix === undefined || !isVendor(prefix)) return undefined;
  if (rest === '') throw emptyModel(name);
  const provider = providerForVendor(prefix, catalog);
  return provider === null && takesPrefixes(defaultProvider(catalog))
    ? undefined
    : vendorTarget(prefix, rest, provider);
}

/** A gateway knows models by their vendors' names. */
function takesPrefixes(provider: ProviderEntry | undefined): boolean {
  return provider !== undefined && (provider.kind === 'openrouter' || provider.prefixed_models === true);
}

function defaultProvider(catalog: ProviderCatalog): ProviderEntry | undefined {
  return findProvider(catalog, catalog.default_provider_id ?? '');
}

function fromBareClaude(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  if (!name.startsWith('claude')) return undefined;
  const provider = providerForVendor('anthropic', catalog);
  return provider === null && defaultProvider(catalog) !== undefined
    ? undefined
    : vendorTarget('anthropic', name, provider);
}

function fromDefaultProvider(name: string, catalog: ProviderCatalog): ModelTarget | undefined {
  const provider = defaultProvider(catalog);
  return provider === undefined ? undefined : providerTarget(provider, name, name);
}

function providerTarget(provider: ProviderEntry, model: string, name: string): ModelTarget {
  if (model === '') throw emptyModel(name);
  if (provider.kind === 'holaboss_proxy') return proxyTarget(provider, model);
  return {
    providerId: provider.id,
    modelId: currentName(provider, model),
    transport: transportOf(provider),
    provider,
  };
}

/** A proxy serves each vendor in the vendor's own form; a model of nobody in particular goes to the OpenAI one. */
function proxyTarget(provider: ProviderEntry, model: string): ModelTarget {
  const { prefix, rest } = split(model);
  return prefix !== undefined && isVendor(prefix)
    ? vendorTarget(prefix, rest, provider)
    : vendorTarget(vendorOf(model), model, provider);
}

function vendorTarget(vendor: Vendor, modelId: string, provider: ProviderEntry | null): ModelTarget {
  if (provider !== null && provider.kind !== 'holaboss_proxy') {
    return {
      providerId: provider.id,
      modelId: currentName(provider, modelId),
      transport: transportOf(provider),
      provider,
    };
  }
  return { providerId: vendor, modelId, transport: VENDOR_TRANSPORT[vendor], provider };
}

const VENDOR_TRANSPORT: Readonly<Record<Vendor, Transport>> = {
  openai: 'openai_compatible',
  google: 'google_compatible',
  anthropic: 'anthropic_native',
};

function vendorOf(model: string): Vendor {
  if (model.startsWith('claude')) return 'anthropic';
  return model.startsWith('gemini') ? 'google' : 'openai';
}

/** Who answers for a vendor: the one configured provider that speaks its form, when there is only one, else the proxy. */
function providerForVendor(vendor: Vendor, catalog: ProviderCatalog): ProviderEntry | null {
  const own = catalog.providers.filter(
    (provider) =>
      (provider.kind === 'openai_compatible' || provider.kind === 'anthropic_native') &&
      transportOf(provider) === VENDOR_TRANSPORT[vendor] &&
      // Anybody speaks the OpenAI form; only a provider of that name is OpenAI.
      (vendor !== 'openai' || provider.id.startsWith('openai')),
  );
  return (own.length === 1 ? own[0] : proxyOf(catalog)) ?? null;
}

function transportOf(provider: ProviderEntry): Transport {
  if (provider.transport !== undefined) return provider.transport;
  if (provider.kind === 'anthropic_native') return 'anthropic_native';
  const google = GOOGLE_PROVIDER_IDS.includes(provider.id) || hostOf(provider.base_url) === GOOGLE_HOST;
  return google ? 'google_compatible' : 'openai_compatible';
}

function hostOf(url: string | null): string | undefined {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : undefined;
}

function currentName(provider: ProviderEntry, model: string): string {
  const renamed = { ...RENAMED_MODELS[provider.id], ...provider.model_aliases };
  return Object.hasOwn(renamed, model) ? (renamed[model] ?? model) : model;
}

function findProvider(catalog: ProviderCatalog, id: string): ProviderEntry | undefined {
  return catalog.providers.find((provider) => provider.id === id);
}

function proxyOf(catalog: ProviderCatalog): ProviderEntry | undefined {
  return catalog.providers.find((provider) => provider.kind === 'holaboss_proxy');
}

function isVendor(name: string): name is Vendor {
  return VENDORS.some((vendor) => vendor === name);
}

function isProviderName(name: string, catalog: ProviderCatalog): boolean {
  return isVendor(name) || PROXY_PREFIXES.includes(name) || findProvider(catalog, name) !== undefined;
}

function split(name: string): { readonly prefix: string | undefined; readonly rest: string } {
  const slash = name.indexOf('/');
  return slash < 0
    ? { prefix: undefined, rest: name }
    : { prefix: name.slice(0, slash), rest: name.slice(slash + 1).trim() };
}

function emptyModel(name: string): ReinsError {
  return invalid(name, `model '${name}' has no model id after the provider`);
}

function invalid(name: string, message: string): ReinsError {
  return new ReinsError({
    code: 'model_invalid',
    message,
    path: 'model',
    hint: name.trim() === '' ? 'name a model, as in openai/gpt-5.4' : 'use provider/model, or a model of the catalog',
  });
}
