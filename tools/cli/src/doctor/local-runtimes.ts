import { BUILT_IN_ADAPTERS, createRegistry, profileRuntimes } from '@reins/harness';
import { harnessEnvironments } from '@reins/harness/environment';
import { processSettings, type RuntimeHealth, type Settings } from '@reins/service-kit/installation';
import { type CliContext, harnessesDirOf } from '../context.ts';
import { keyFrom } from '../up/provider-keys.ts';
import { startModels } from '../up/providers.ts';

const PROBE_DEADLINE_MS = 30_000;

/** Probes the runtimes of the profile on this machine, with the models that `reins up` would use. */
export function probeLocalRuntimes(context: CliContext, settings: Settings): Promise<readonly RuntimeHealth[]> {
  const named = [...new Set(profileRuntimes(settings).map(({ runtimeId }) => runtimeId))];
  const offered = named.filter((runtimeId) => settings.host.runtimes.includes(runtimeId));
  const others = named.filter((runtimeId) => !offered.includes(runtimeId));
  const missing = others.map((runtimeId) => absent(runtimeId, 'host.runtimes does not list it'));
  return probeRuntimes(context, settings, offered).then((probed) => [...probed, ...missing]);
}

/** Probes runtimes on this machine, whether or not a host offers them. */
export async function probeRuntimes(
  context: CliContext,
  settings: Settings,
  runtimeIds: readonly string[],
): Promise<readonly RuntimeHealth[]> {
  const { env, close } = await startModels(settings, context.env, context.stateDir);
  try {
    const complete = processSettings({ ...context.env, ...env });
    const environmentOf = harnessEnvironments(complete, {
      keyOf: keyFrom(context.env),
      variable: (name) => context.env[name],
      path: context.env.PATH ?? '',
      harnessesDir: harnessesDirOf(context),
    });
    const registry = createRegistry(BUILT_IN_ADAPTERS);
    return await Promise.all(
      runtimeIds.map(async (runtimeId): Promise<RuntimeHealth> => {
        if (!registry.has(runtimeId)) return absent(runtimeId, 'unknown runtime');
        const health = await registry.get(runtimeId).probe(environmentOf(runtimeId), PROBE_DEADLINE_MS);
        if (health.healthy) return { runtimeId, ...health };
        return { runtimeId, ...health, reason: `${health.reason} (${health.hint})` };
      }),
    );
  } finally {
    await close();
  }
}

const absent = (runtimeId: string, reason: string): RuntimeHealth => ({
  runtimeId,
  version: '',
  healthy: false,
  reason,
});
