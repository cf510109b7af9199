import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LITELLM_PROVIDER } from '@reins/harness';
import { SCRIPTED_MODEL } from '@reins/model-catalog';
import { startScriptedModel } from '@reins/scripted-model';
import type { Settings } from '@reins/service-kit/installation';
import { MODEL_SCRIPT } from '../context.ts';
import { chooseModelSource, type ModelSource, ownScript } from './model-source.ts';

/** The models of a system, ready to be called. */
export interface StartedModels {
  readonly models: ModelSource;
  /** Settings for the services, as environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Stops the scripted model, if it was started. */
  readonly close: () => Promise<void>;
}

/**
 * Chooses the models, and starts the scripted model if no provider is configured.
 * @param stateDir may have a script of the user (`reins model script`)
 * @param proxy the LiteLLM proxy that starts with the system, as a provider
 */
export async function startModels(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  stateDir: string,
  proxy?: Settings['providers'][string],
): Promise<StartedModels> {
  if (proxy !== undefined) return withProxy(settings, env, proxy);
  const models = chooseModelSource(settings, env);
  if (!models.scripted) return { models, env: models.env, close: async () => {} };
  const script = join(stateDir, MODEL_SCRIPT);
  const scripted = await startScriptedModel({ files: { quickstart: script } });
  const described = existsSync(script) ? { ...models, description: ownScript(script) } : models;
  return {
    models: described,
    env: { ...models.env, ...scriptedProvider(scripted.url) },
    close: () => scripted.close(),
  };
}

/** The proxy comes after the configured providers: the first one serves models that name no provider. */
function withProxy(
  settings: Settings,
  env: Readonly<Record<string, string | undefined>>,
  proxy: Settings['providers'][string],
): StartedModels {
  const providers = { ...settings.providers, [LITELLM_PROVIDER]: proxy };
  const models = chooseModelSource({ ...settings, providers }, env);
  return { models, env: { REINS_PROVIDERS: JSON.stringify(providers) }, close: async () => {} };
}

/** Settings for the scripted model. It replaces the model of every workspace and accepts any key. */
function scriptedProvider(url: string): Readonly<Record<string, string>> {
  const { providerId, modelId } = SCRIPTED_MODEL;
  const scripted = { api: 'openai-completions', baseUrl: `${url}/s/quickstart/v1`, apiKey: `sk-${randomUUID()}` };
  return {
    REINS_PROVIDERS: JSON.stringify({ [providerId]: scripted }),
    REINS_MODEL_OVERRIDE: `${providerId}/${modelId}`,
  };
}
