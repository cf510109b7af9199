import type { Settings } from '@reins/service-kit/installation';

/** The models that a system uses. */
export interface ModelSource {
  /** Description for the console. */
  readonly description: string;
  /** Settings for the services, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The model for the quickstart; undefined for the model of the workspace, or that of `model.override`. */
  readonly model: string | undefined;
  /** The provider whose list of models has one for the quickstart, if `model` is undefined. */
  readonly modelsOf?: string;
  /** No provider is configured, so the scripted model must be started. */
  readonly scripted: boolean;
}

/** Hosted providers that need only an API key in the environment. The first match is used. */
const HOSTED = [
  {
    key: 'OPENAI_API_KEY',
    id: 'openai',
    api: 'openai-completions',
    baseUrl: 'https://api.openai.com/v1',
    model: 'gpt-5.4',
  },
  {
    key: 'ANTHROPIC_API_KEY',
    id: 'anthropic',
    api: 'anthropic-messages',
    baseUrl: 'https://api.anthropic.com',
    model: 'claude-sonnet-4-6',
  },
  {
    key: 'GEMINI_API_KEY',
    id: 'gemini',
    api: 'google-generative-ai',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-2.5-pro',
  },
] as const;

/** Says that the scripted model follows a script of the user. */
export const ownScript = (file: string): string =>
  `the scripted model, with your script ${file} (\`reins model script --reset\` restores the built-in one)`;

/** The variables of hosted providers. */
export const HOSTED_KEYS: readonly string[] = HOSTED.map(({ key }) => key);

/** The first provider serves models that name no provider. Their health is not known yet. */
const providersText = ([first, ...others]: readonly string[]): string =>
  others.length === 0
    ? `the configured provider ${first}`
    : `the configured providers ${[first, ...others].join(', ')}; \`reins doctor\` checks them`;

/** The first model that the settings list for a provider. */
function firstModel([id, { models = {} }]: readonly [string, Settings['providers'][string]]): string | undefined {
  const [model] = Object.keys(models);
  return model === undefined ? undefined : `${id}/${model}`;
}

/** The model of a hosted provider, whatever its name in the settings. */
function hostedModel([id, { api, baseUrl }]: readonly [string, Settings['providers'][string]]): string | undefined {
  const host = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).host : undefined);
  const hosted = HOSTED.find((one) => one.api === api && host(one.baseUrl) === host(baseUrl));
  return hosted && `${id}/${hosted.model}`;
}

/**
 * The model for the quickstart, whose workspace names one of `openai`. Without `openai`, it is a model of the first
 * provider: the first that its settings list, that of the vendor, or one of the list of its endpoint.
 */
function quickstartModel({ providers, model: { override } }: Settings): Pick<ModelSource, 'model' | 'modelsOf'> {
  const [first] = Object.entries(providers);
  if (override !== undefined || !first) return { model: undefined };
  const model = firstModel(first) ?? (providers.openai ? undefined : hostedModel(first));
  return model === undefined && !providers.openai ? { model, modelsOf: first[0] } : { model };
}

/** Chooses the configured provider, else a hosted one whose key is in the environment, else the scripted model. */
export function chooseModelSource(settings: Settings, env: Readonly<Record<string, string | undefined>>): ModelSource {
  const configured = Object.entries(settings.providers);
  const first = configured[0];
  if (first)
    return {
      description: providersText(configured.map(([id, { baseUrl }]) => `${id} (${baseUrl})`)),
      env: {},
      ...quickstartModel(settings),
      scripted: false,
    };
  const hosted = HOSTED.find(({ key }) => env[key]);
  if (!hosted)
    return {
      description: 'the built-in scripted model: its answers come from a script (no provider is configured)',
      env: {},
      model: undefined,
      scripted: true,
    };
  const { api, baseUrl, id, key, model } = hosted;
  return {
    description: `${id} (${key} is set)`,
    env: { REINS_PROVIDERS: JSON.stringify({ [id]: { api, baseUrl, apiKeyEnv: key } }) },
    model: `${id}/${model}`,
    scripted: false,
  };
}
