import { ReinsError } from '@reins/contracts';
import { harnessEnvironments, missingKeyProblem, readKeyFile } from '@reins/harness/environment';
import type { Settings } from '@reins/service-kit/installation';
import { callsModels } from './provider-watch.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type Provider = Settings['providers'][string];

/** The key of a provider, as the hosts of this machine read it; empty without one. */
export const keyFrom =
  (env: Environment) =>
  (_id: string, { apiKeyFile, apiKeyEnv, apiKey }: Pick<Provider, 'apiKeyFile' | 'apiKeyEnv' | 'apiKey'>): string =>
    apiKeyFile ? readKeyFile(apiKeyFile) : (apiKeyEnv && env[apiKeyEnv]) || apiKey || '';

/**
 * Refuses a start whose hosts could call no model, because the key of their provider is missing. The hosts have the
 * environment of the start, so this is known at once.
 * @throws ReinsError `model_unavailable` at the setting of the key
 */
export function refuseMissingKey(settings: Settings, env: Environment): void {
  if (!callsModels(settings)) return;
  const environmentOf = harnessEnvironments(settings, { keyOf: keyFrom(env), path: '' });
  const problem = missingKeyProblem(environmentOf(settings.runtimeProfile.default));
  if (problem) throw new ReinsError(problem);
}
