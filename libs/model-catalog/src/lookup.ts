import type { ModelFacts } from './facts.ts';
import { MODELS } from './generated/models.ts';
import { type ModelFactSettings, withSettings } from './settings.ts';

/** A model as an installation names it. */
export interface ModelName {
  readonly providerId: string;
  readonly modelId: string;
  /** The address of the provider. */
  readonly baseUrl?: string;
  /** The facts that the settings of the provider have, by model id. */
  readonly settings?: Readonly<Record<string, ModelFactSettings>> | undefined;
}

/** The providers of the catalogue by the host of their API. */
const HOSTS: Readonly<Record<string, string>> = {
  'api.openai.com': 'openai',
  'api.anthropic.com': 'anthropic',
  'generativelanguage.googleapis.com': 'google',
  'api.mistral.ai': 'mistral',
  'api.deepseek.com': 'deepseek',
  'api.x.ai': 'xai',
  'api.groq.com': 'groq',
  'openrouter.ai': 'openrouter',
};
/** Common ids of providers, next to the names of the catalogue. */
const PROVIDER_IDS: Readonly<Record<string, string>> = { gemini: 'google', claude: 'anthropic' };
/** The prefixes with which gateways name the vendor of a model, next to the names of the catalogue. */
const PREFIXES: Readonly<Record<string, string>> = { ...PROVIDER_IDS, 'x-ai': 'xai', mistralai: 'mistral' };
/** A date or release at the end of an id: `-2024-08-06`, `-20250929`, `-09-2025`, `-001`, `-latest`. */
const RELEASE = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{2}-\d{4}|\d{3}|latest)$/;

/**
 * Returns what is known about a model: the settings of the installation, then the catalogue. Unknown: an empty object.
 * Prices are known only if the provider is the one that the prices belong to, because gateways have prices of their
 * own. The other facts do not depend on the provider.
 */
export function modelFacts(name: ModelName): ModelFacts {
  const { settings = {}, modelId } = name;
  const own = Object.hasOwn(settings, modelId) ? settings[modelId] : undefined;
  return withSettings(cataloguedFacts(name) ?? {}, own ?? {});
}

/** Whether the catalogue has a model of exactly this id for the provider itself. */
export function isCatalogued({ providerId, modelId, baseUrl }: Omit<ModelName, 'settings'>): boolean {
  const provider = providerOf(providerId, baseUrl);
  return provider !== undefined && modelOf(provider, modelId) !== undefined;
}

function cataloguedFacts({ providerId, modelId, baseUrl }: ModelName): ModelFacts | undefined {
  const provider = providerOf(providerId, baseUrl);
  const found = provider && modelOf(provider, modelId);
  if (found) return found;
  const { vendor, id } = withoutPrefix(modelId);
  const facts = vendor === undefined ? anyVendor(id) : modelOf(vendor, id);
  if (!facts || (vendor !== undefined && provider === vendor)) return facts;
  const { prices: _, ...others } = facts;
  return others;
}

/** The provider of the catalogue that runs the model: by the host of its API, or by its id. */
function providerOf(providerId: string, baseUrl: string | undefined): string | undefined {
  const host = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  if (Object.hasOwn(HOSTS, host)) return HOSTS[host];
  return named(PROVIDER_IDS, providerId.toLowerCase());
}

const named = (aliases: Readonly<Record<string, string>>, name: string): string | undefined => {
  if (Object.hasOwn(MODELS, name)) return name;
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
};

function withoutPrefix(modelId: string): { vendor?: string | undefined; id: string } {
  const slash = modelId.indexOf('/');
  if (slash < 0) return { id: modelId };
  const prefix = modelId.slice(0, slash);
  const id = modelId.slice(slash + 1);
  // Google names its models models/<id>.
  return prefix === 'models' ? { vendor: 'google', id } : { vendor: named(PREFIXES, prefix), id };
}

/** A model of a provider: by its exact id, or without the release at its end. */
function modelOf(provider: string, modelId: string): ModelFacts | undefined {
  const models = MODELS[provider];
  const id = [modelId, modelId.replace(RELEASE, '')].find((each) => models && Object.hasOwn(models, each));
  return id === undefined ? undefined : models?.[id];
}

const anyVendor = (modelId: string): ModelFacts | undefined =>
  Object.keys(MODELS)
    .map((provider) => modelOf(provider, modelId))
    .find((facts) => facts !== undefined);
