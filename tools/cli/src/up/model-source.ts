import type { Settings } from '@reins/service-kit/installation';

/** The models that a system uses. */
export interface ModelSource {
  /** Description for the console. */
  readonly description: string;
  /** Settings for the services, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** The model for the quickstart; undefined for the model of the workspace, or that of `model.override`. */
  readonly model: string | undefined;
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

/** The id of the provider that the scripted model gets. */
export const SCRIPTED_PROVIDER = 'scripted';

/** Says that the scripted model follows a script of the user. */
export const ownScript = (file: string): string =>
  `the scripted model, with your script ${file} (\`reins model script --reset\` restores the built-in one)`;

/** The variables of hosted providers. */
export const HOSTED_KEYS: readonly string[] = HOSTED.map(({ key }) => key);

/** The first provider gets models that name none. Nothing is known about their health yet. */
const providersText = ([first, ...others]: readonly string[]): string =>
  others.length === 0
    ? `the configured provider ${first}`
    : `the configured providers ${[first, ...others].join(', ')}; \`reins doctor\` checks them`;

/** The first model that the settings list for a provider. */
function firstModel([id, { models = {} }]: readonly [string, Settings['providers'][string]]): string | undefined {
  const [model] = Object.keys(models);
  return model === undefined ? undefined : `${id}/${model}`;
}

/** Chooses the configured provider, else a hosted one whose key is in the environment, else the scripted model. */
export function chooseModelSource(settings: Settings, env: Readonly<Record<string, string | undefined>>): ModelSource {
  const configured = Object.entries(settings.providers);
  const first = configured[0];
  if (first)
    return {
      description: providersText(configured.map(([id, { baseUrl }]) => `${id} (${baseUrl})`)),
      env: {},
      model: settings.model.override === undefined ? firstModel(first) : undefined,
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
