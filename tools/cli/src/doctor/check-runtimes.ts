import { defined, type ProviderHealth } from '@reins/contracts';
import type { RuntimeHealth, StageRuntime } from '@reins/service-kit/installation';
import type { Check } from './check.ts';

/** Whether every stage has a healthy runtime. */
export function checkRuntimes(stages: readonly StageRuntime[]): Check {
  const missing = stages.filter(({ healthy }) => !healthy);
  if (missing.length === 0) return { name: 'runtimes', status: 'ok', message: 'every stage has a healthy runtime' };
  const problems = [...new Set(missing.map(({ runtimeId }) => runtimeId))].map((id) => {
    const own = missing.filter(({ runtimeId }) => runtimeId === id);
    return `${own.map(({ stage }) => stage).join(', ')} → ${id}: ${own[0]?.reason ?? 'unhealthy'}`;
  });
  return {
    name: 'runtimes',
    status: 'failed',
    message: problems.join('; '),
    hint: 'Fix the runtime, start a harness host that offers it, or map the stage to another runtime in runtime_profile.',
  };
}

const RANK: Readonly<Record<string, number>> = { failed: 0, unknown: 1, ok: 2 };
const STATUS = { failed: 'failed', unknown: 'warning', ok: 'ok' } as const;

/** One check for each provider. If hosts disagree, the worst result counts. */
export function checkProviders(known: readonly RuntimeHealth[]): readonly Check[] {
  const worst = new Map<string, ProviderHealth>();
  for (const provider of known.flatMap(({ providers = [] }) => providers)) {
    const before = worst.get(provider.providerId);
    if (before === undefined || rankOf(provider) < rankOf(before)) worst.set(provider.providerId, provider);
  }
  return [...worst.values()].map(({ providerId, status, reason, hint }) => ({
    name: `providers.${providerId}`,
    status: STATUS[status],
    message: reason ?? 'reachable; its model list is available',
    ...defined({ hint }),
  }));
}

const rankOf = ({ status }: ProviderHealth): number => RANK[status] ?? 0;
