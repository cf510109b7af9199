import { randomUUID } from 'node:crypto';
import type { Settings } from '@reins/service-kit/installation';

/** Where the answers of a system come from. */
export interface ModelSource {
  /** Said on the screen. */
  readonly says: string;
  /** Settings for the services, as environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The model that the quickstart asks for; undefined = the workspace's own. */
  readonly model: string | undefined;
  /** Nothing is configured: the scripted model has to be started. */
  readonly scripted: boolean;
}

/** Hosted models that a key in the environment is enough for, the first one found wins. */
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

/** Configured providers, else a hosted one whose key is in the environment, else the built-in scripted model. */
export function chooseModelSource(settings: Settings, env: Readonly<Record<string, string | undefined>>): ModelSource {
  const configured = Object.entries(settings.providers);
  const first = configured[0];
  if (first)
    return {
      says: `the configured provider ${first[0]} (${first[1].baseUrl})`,
      env: {},
      model: undefined,
      scripted: false,
    };
  const hosted = HOSTED.find(({ key }) => env[key]);
  if (!hosted)
    return {
      says: 'the built-in scripted model (no provider is configured: its answers come from a script)',
      env: {},
      model: undefined,
      scripted: true,
    };
  const { api, baseUrl, id, key, model } = hosted;
  return {
    says: `${id} (${key} is set)`,
    env: { REINS_PROVIDERS: JSON.stringify({ [id]: { api, baseUrl, apiKeyEnv: key } }) },
    model: `${id}/${model}`,
    scripted: false,
  };
}

/** The scripted model as a provider; whatever model a workspace names, it answers, and any key will do. */
export function scriptedProvider(url: string): Readonly<Record<string, string>> {
  const scripted = { api: 'openai-completions', baseUrl: `${url}/s/quickstart/v1`, apiKey: `sk-${randomUUID()}` };
  return { REINS_PROVIDERS: JSON.stringify({ scripted }), REINS_MODEL_OVERRIDE: 'scripted/scripted-model' };
}
