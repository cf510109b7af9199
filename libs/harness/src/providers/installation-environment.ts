import { defined, isReinsError, type JsonObject, type Problem } from '@reins/contracts';
import {
  type ConfiguredProvider,
  catalogOfSettings,
  headersWith,
  type ModelSettings,
  resolveModelTarget,
} from '@reins/runtime-config';
import type { DefaultModel, HarnessEnvironment, KeySetting, ProviderEndpoint } from '../contract.ts';
import type { ProcessSandbox } from '../process/process-sandbox.ts';
import { missingKey } from './check-provider.ts';
import { neededProvider } from './probe-providers.ts';

export { readKeyFile } from './key-file.ts';

/** The settings of an installation that a harness can see. */
export interface HarnessSettings extends ModelSettings {
  readonly harness: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the settings leave to the machine: the keys of providers, and the PATH of executors. */
export interface HostEnvironment {
  /** The key of a provider; empty when it has none. */
  readonly keyOf: (providerId: string, provider: ConfiguredProvider) => string;
  /** The value of an environment variable in the headers of providers. */
  readonly variable?: (name: string) => string | undefined;
  readonly path: string;
  /** Creates a token for each environment, see `HarnessEnvironment.probeToken`. */
  readonly newProbeToken?: () => string;
  /** See `HarnessEnvironment.harnessesDir`. */
  readonly harnessesDir?: string;
  /** See `HarnessEnvironment.sandbox`. */
  readonly sandbox?: ProcessSandbox | undefined;
}

/**
 * The environment of each runtime of an installation. All runtimes share the same endpoint objects, so that they share
 * the checks of providers as well.
 */
export function harnessEnvironments(
  settings: HarnessSettings,
  { keyOf, variable = () => undefined, path, newProbeToken, harnessesDir, sandbox }: HostEnvironment,
): (runtimeId: string) => HarnessEnvironment {
  const providers = Object.fromEntries(
    Object.entries(settings.providers).map(([id, provider]): [string, ProviderEndpoint] => {
      const { api, baseUrl } = provider;
      const keySetting = keySettingOf(id, provider);
      const headers = provider.headers && headersWith(provider, variable);
      const own = { ...(headers && { headers }), ...(keySetting && { keySetting }) };
      // A key in a file may change.
      return [
        id,
        {
          ...own,
          api,
          baseUrl,
          get apiKey() {
            return keyOf(id, provider);
          },
        },
      ];
    }),
  );
  const defaultModel = defaultModelOf(settings);
  return (runtimeId) => ({
    settings: (settings.harness[runtimeId] ?? {}) as JsonObject,
    path,
    providers,
    ...(defaultModel && { defaultModel }),
    ...(newProbeToken && { probeToken: newProbeToken() }),
    ...(harnessesDir !== undefined && { harnessesDir }),
    ...(sandbox && { sandbox }),
  });
}

/** The setting of the key that the provider of the default model lacks, as a problem. Calls nothing. */
export function missingKeyProblem(
  environment: Pick<HarnessEnvironment, 'providers' | 'defaultModel'>,
): Problem | undefined {
  const providerId = neededProvider(environment);
  const endpoint = providerId === undefined ? undefined : environment.providers[providerId];
  const missing = endpoint && missingKey({ providerId: String(providerId), endpoint });
  if (!missing) return undefined;
  const { reason: message, hint } = missing;
  return { code: 'model_unavailable', message, ...defined({ path: endpoint.keySetting?.path }), hint };
}

function keySettingOf(id: string, { apiKeyFile, apiKeyEnv, apiKey }: ConfiguredProvider): KeySetting | undefined {
  if (apiKeyFile) return { path: `providers.${id}.api_key_file`, file: apiKeyFile };
  if (apiKeyEnv) return { path: `providers.${id}.api_key_env`, variable: apiKeyEnv };
  return apiKey ? { path: `providers.${id}.api_key` } : undefined;
}

/** The model of `model.override`, routed as for a stage. Undefined: the workspace selects the model. */
function defaultModelOf(settings: HarnessSettings): DefaultModel | undefined {
  const override = settings.model.override?.trim() ?? '';
  if (override === '') return undefined;
  try {
    const { provider, providerId, modelId } = resolveModelTarget(override, catalogOfSettings(settings));
    return { providerId: provider?.id ?? providerId, modelId };
  } catch (error) {
    if (isReinsError(error)) return { providerId: override.split('/', 1)[0] ?? override };
    throw error;
  }
}
