import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isReinsError, type Problem } from '@reins/contracts';
import type { FoundModels, ModelSettings } from '@reins/runtime-config';
import type { CompileInput, Observed } from '@reins/workspace-plan';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress, MODEL_SCRIPT, runFile } from '../context.ts';
import { chooseModelSource, HOSTED_KEYS, SCRIPTED_PROVIDER } from '../up/model-source.ts';

/** How long a running system may take to list the models of its providers. */
const LIST_MS = 2_000;

/** What an installation knows about models: the checks of the compiler that need its settings. */
export interface InstallationModels extends Pick<CompileInput, 'hasPrice'>, Pick<Observed, 'modelProblem'> {
  /** The script of the user that the scripted model follows. */
  readonly script?: string;
}

/**
 * The models of the installation of this folder. Nothing is known without an installation, or when its settings are
 * invalid; `reins doctor` reports that.
 */
export async function installationModels(context: CliContext): Promise<InstallationModels> {
  if (!mayHaveInstallation(context)) return {};
  const { installationSettings } = await import('../bus/with-bus.ts');
  try {
    const settings = installationSettings(context);
    const { env, scripted } = chooseModelSource(settings, context.env);
    const hosts = await runningHosts(context);
    const running = hosts.flatMap(({ providers }) => providers.map(({ providerId }) => providerId));
    // The system may have been started with other variables than this command.
    const runsScripted = running.includes(SCRIPTED_PROVIDER) && settings.providers[SCRIPTED_PROVIDER] === undefined;
    if (runsScripted || (scripted && running.length === 0)) return scriptedModels(context);
    if (scripted) return {};
    const providers = env.REINS_PROVIDERS === undefined ? settings.providers : JSON.parse(env.REINS_PROVIDERS);
    return checksOf({ providers, model: settings.model }, hosts);
  } catch (error) {
    if (isReinsError(error)) return {};
    throw error;
  }
}

/** Settings take time to load. */
function mayHaveInstallation({ env, stateDir }: CliContext): boolean {
  const named = ['REINS_CONFIG', 'REINS_PROVIDERS', ...HOSTED_KEYS].some((name) => env[name]);
  return named || ['reins.yaml', 'reins.toml'].some((file) => existsSync(file)) || runFile(stateDir) !== undefined;
}

/** The scripted model replaces the model of every workspace, and has no price. */
function scriptedModels({ stateDir }: CliContext): InstallationModels {
  if (runFile(stateDir) === undefined) return {};
  const script = join(stateDir, MODEL_SCRIPT);
  return { hasPrice: () => false, ...(existsSync(script) && { script }) };
}

async function checksOf(settings: ModelSettings, hosts: readonly Host[]): Promise<InstallationModels> {
  const { catalogOfSettings, hasPrice, resolveModelTarget, unknownProvider, withFoundModels } = await import(
    '@reins/runtime-config'
  );
  const found = hosts.flatMap(({ providers }) => providers);
  const catalog = withFoundModels(catalogOfSettings(settings), found);
  // Other runtimes can do without a provider.
  const needsProvider = hosts.every(({ capabilities }) => capabilities.includes('model'));
  const modelProblem = (model: string): Problem | undefined => {
    try {
      const { provider, providerId } = resolveModelTarget(model, catalog);
      if (provider === null && needsProvider) throw unknownProvider(model, providerId, catalog);
      return undefined;
    } catch (error) {
      if (isReinsError(error)) return error.problems[0];
      throw error;
    }
  };
  // The model of the installation replaces that of the workspace.
  const isReplaced = settings.model.override !== undefined;
  return { hasPrice: (model) => hasPrice(model, settings), ...(!isReplaced && { modelProblem }) };
}

/** One runtime of a host, as the gateway lists it. */
interface Host {
  readonly capabilities: readonly string[];
  readonly providers: readonly FoundModels[];
}

/** The runtimes of a running system; none without one. */
async function runningHosts(context: CliContext): Promise<readonly Host[]> {
  try {
    const listed = new GatewayClient(gatewayAddress(context)).get<{ harnesses: readonly Host[] }>('/harnesses');
    const late = setTimeout(LIST_MS, undefined, { ref: false });
    return (await Promise.race([listed, late]))?.harnesses ?? [];
  } catch (error) {
    if (isReinsError(error)) return [];
    throw error;
  }
}
