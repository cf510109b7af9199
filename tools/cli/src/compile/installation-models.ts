import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isReinsError, type Problem } from '@reins/contracts';
import { SCRIPTED_MODEL } from '@reins/model-catalog';
import type { FoundModels, ModelSettings } from '@reins/runtime-config';
import type { Settings } from '@reins/service-kit/installation';
import type { CompiledWorkspaceRuntimePlan, CompileInput, Observed } from '@reins/workspace-plan';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress, MODEL_SCRIPT, runFile } from '../context.ts';
import { chooseModelSource, HOSTED_KEYS } from '../up/model-source.ts';
import { planRuntimes } from './plan-runtimes.ts';

/** How long a running system may take to list the models of its providers. */
const LIST_MS = 2_000;

/** What an installation knows about models: the checks of the compiler that need its settings. */
export interface InstallationModels extends Pick<CompileInput, 'unpriced'> {
  /** The check of the models of a workspace. The plan, if there is one, says which runtimes call them. */
  readonly modelCheck?: (plan: CompiledWorkspaceRuntimePlan | undefined) => NonNullable<Observed['modelProblem']>;
  /** Why the limit of the cost of a workspace cannot be evaluated for the model that a request names. */
  readonly requestPriceProblem?: (model: string, limit: number | undefined) => Problem | undefined;
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
    const { providerId } = SCRIPTED_MODEL;
    const runsScripted = running.includes(providerId) && settings.providers[providerId] === undefined;
    if (runsScripted || (scripted && running.length === 0)) return scriptedModels(context);
    if (scripted) return {};
    const providers = env.REINS_PROVIDERS === undefined ? settings.providers : JSON.parse(env.REINS_PROVIDERS);
    return checksOf({ providers, model: settings.model }, settings.runtimeProfile, hosts);
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
async function scriptedModels({ stateDir }: CliContext): Promise<InstallationModels> {
  if (runFile(stateDir) === undefined) return {};
  const { unpricedModel } = await import('@reins/runtime-config');
  const override = `${SCRIPTED_MODEL.providerId}/${SCRIPTED_MODEL.modelId}`;
  const script = join(stateDir, MODEL_SCRIPT);
  return {
    unpriced: (model) => unpricedModel(model, { providers: {}, model: { override } }),
    ...(existsSync(script) && { script }),
  };
}

async function checksOf(
  settings: ModelSettings,
  profile: Settings['runtimeProfile'],
  hosts: readonly Host[],
): Promise<InstallationModels> {
  const {
    catalogOfSettings,
    requestPriceProblem,
    resolveModelTarget,
    unknownProvider,
    unpricedModel,
    withFoundModels,
  } = await import('@reins/runtime-config');
  const found = hosts.flatMap(({ providers }) => providers);
  const catalog = withFoundModels(catalogOfSettings(settings), found);
  const problemOf = (model: string, needsProvider: boolean): Problem | undefined => {
    try {
      const { provider, providerId } = resolveModelTarget(model, catalog);
      if (provider === null && needsProvider) throw unknownProvider(model, providerId, catalog);
      return undefined;
    } catch (error) {
      if (isReinsError(error)) return error.problems[0];
      throw error;
    }
  };
  const modelCheck: InstallationModels['modelCheck'] = (plan) => {
    const runtimes = planRuntimes(plan, profile);
    const used = hosts.filter(({ runtimeId }) => runtimes.includes(runtimeId));
    // Other runtimes can do without a provider.
    const needsProvider = used.every(({ capabilities }) => capabilities.includes('model'));
    return (model) => problemOf(model, needsProvider);
  };
  // The model of the installation replaces that of the workspace.
  const isReplaced = settings.model.override !== undefined;
  return {
    unpriced: (model) => unpricedModel(model, settings),
    requestPriceProblem: (model, limit) => requestPriceProblem(model, limit, settings),
    ...(!isReplaced && { modelCheck }),
  };
}

/** One runtime of a host, as the gateway lists it. */
interface Host {
  readonly runtimeId: string;
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
