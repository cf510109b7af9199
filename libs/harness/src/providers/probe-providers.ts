import type { ProviderHealth } from '@reins/contracts';
import type { HarnessEnvironment, HarnessHealth, ProviderEndpoint } from '../contract.ts';
import { checkProvider, type ProviderToCheck } from './check-provider.ts';

/** A check is used again for this long, so that the runtimes of a host check each provider only once. */
const FRESH_MS = 5_000;

/** A provider that takes longer is not usable, whatever else the probe waits for. */
const DEADLINE_MS = 15_000;

interface RecentCheck {
  readonly modelId: string | undefined;
  readonly since: number;
  readonly result: Promise<ProviderHealth>;
}

/** The last check of each endpoint. A host has one object for each of its providers. */
const recent = new WeakMap<ProviderEndpoint, RecentCheck>();

/** The health of the providers. `failures`: what prevents stages from calling their default model. */
export interface ProvidersHealth {
  readonly providers: readonly ProviderHealth[];
  readonly failures: readonly Failure[];
}

/** Why a stage cannot run, and what to do. */
export interface Failure {
  readonly reason: string;
  readonly hint: string;
}

/**
 * Checks every provider. A failed provider is a failure only if it serves the default model: stages that use other
 * providers can still run. Never rejects.
 */
export async function probeProviders(environment: HarnessEnvironment, deadlineMs: number): Promise<ProvidersHealth> {
  const { providers, defaultModel } = environment;
  const needed = neededProvider(environment);
  if (needed === undefined) return { providers: [], failures: [NO_PROVIDER] };
  const health = await Promise.all(
    Object.entries(providers).map(([providerId, endpoint]) => {
      const modelId = providerId === needed ? defaultModel?.modelId : undefined;
      return recentCheck({ providerId, endpoint, modelId }, deadlineMs);
    }),
  );
  if (!Object.hasOwn(providers, needed)) return { providers: health, failures: [unconfigured(needed)] };
  const failures = health.flatMap(({ providerId, status, reason = '', hint = '' }) =>
    providerId === needed && status === 'failed' ? [{ reason, hint }] : [],
  );
  return { providers: health, failures };
}

/** The provider that serves the default model. */
export const neededProvider = ({
  providers,
  defaultModel,
}: Pick<HarnessEnvironment, 'providers' | 'defaultModel'>): string | undefined =>
  defaultModel?.providerId ?? Object.keys(providers)[0];

/** The health of a harness that calls models: of its executable or implementation, and of its providers. */
export function harnessHealth(
  version: string,
  { providers, failures }: ProvidersHealth,
  executable?: Failure,
): HarnessHealth {
  const all = executable === undefined ? failures : [executable, ...failures];
  if (all.length === 0) return { healthy: true, version, providers };
  const reason = all.map((failure) => failure.reason).join('; ');
  const hint = all.map((failure) => failure.hint).join(' ');
  return { healthy: false, version, providers, reason, hint };
}

function recentCheck(provider: ProviderToCheck, deadlineMs: number): Promise<ProviderHealth> {
  const { endpoint, modelId } = provider;
  const last = recent.get(endpoint);
  if (last && last.modelId === modelId && performance.now() - last.since < FRESH_MS) return last.result;
  const result = checkProvider(provider, Math.min(deadlineMs, DEADLINE_MS));
  recent.set(endpoint, { modelId, since: performance.now(), result });
  return result;
}

const NO_PROVIDER: Failure = {
  reason: 'no model provider is configured',
  hint: 'Configure a provider (providers.<id>).',
};

const unconfigured = (providerId: string): Failure => ({
  reason: `model.override names a model of provider ${providerId}, which is not configured`,
  hint: `Configure providers.${providerId}, or set model.override to a model of a configured provider.`,
});
