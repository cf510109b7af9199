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
import { listsWholeName, unknownProvider } from './unknown-provider.ts';

/** The routing of a model: provider, model id and protocol. */
export interface ModelTarget {
  /** The provider id for the executor; behind a proxy, the vendor. */
  readonly providerId: string;
  readonly modelId: string;
  readonly transport: Transport;
  /** The configured provider that serves the model. Null when the target follows only from the model name. */
  readonly provider: ProviderEntry | null;
}

/**
 * Routes a model name. The first match wins: a catalog model by token, a catalog model by a unique model id,
 * `provider/model` of a configured provider, a proxy prefix, a vendor prefix, a bare Claude name, the default provider,
 * and finally the vendor that the name suggests. If no provider serves the vendor, a default provider that accepts
 * prefixed names is used. A default provider with a list of its models gets a prefixed name only if the list has it.
 * @throws ReinsError `model_invalid` · `model_provider_unconfigured` when the prefix is no provider
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
  const sameId = models.filter((model) => model.model_id === name && model.alias !== true);
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
  return provider === null && acceptsPrefixed(defaultProvider(catalog), name)
    ? undefined
    : vendorTarget(prefix, rest, provider);
}

/** Gateways identify models by the names of their vendors. */
function acceptsPrefixed(provider: ProviderEntry | undefined, name: string): boolean {
  if (provider === undefined || !listsWholeName(provider, name)) return false;
  return provider.kind === 'openrouter' || provider.prefixed_models === true;
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
  if (provider === undefined) return undefined;
  const { prefix } = split(name);
  if (prefix !== undefined && !listsWholeName(provider, name)) throw unknownProvider(name, prefix, catalog);
  return providerTarget(provider, name, name);
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

/** A proxy uses the protocol of each vendor. A model without a recognisable vendor uses that of OpenAI. */
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

/** The provider for a vendor: the only configured provider with its protocol, otherwise the proxy. */
function providerForVendor(vendor: Vendor, catalog: ProviderCatalog): ProviderEntry | null {
  const candidates = catalog.providers.filter(
    (provider) =>
      (provider.kind === 'openai_compatible' || provider.kind === 'anthropic_native') &&
      transportOf(provider) === VENDOR_TRANSPORT[vendor] &&
      // Many providers use the OpenAI protocol, so the id must start with `openai` too.
      (vendor !== 'openai' || provider.id.startsWith('openai')),
  );
  return (candidates.length === 1 ? candidates[0] : proxyOf(catalog)) ?? null;
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
    hint: name.trim() === '' ? 'Name a model, as in openai/gpt-5.4.' : 'Use provider/model, or a model of the catalog.',
  });
}
