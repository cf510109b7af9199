import { type Problem, ReinsError } from '@reins/contracts';
import {
  adapterSettingsProblems,
  BUILT_IN_ADAPTERS,
  createRegistry,
  type HarnessRegistry,
  type NamedRuntime,
  offeredRuntimes,
  permittedRuntimes,
  profileRuntimes,
  type RuntimeSettings,
  unknownRuntime,
} from '@reins/harness';
import type { Settings } from '@reins/service-kit/installation';

/**
 * The settings whose runtime cannot be available on this machine: unknown ids in `host.runtimes` and `workspaceMayUse`
 * (`harness_unknown`), runtimes of the profile that `host.runtimes` does not list (`runtime_missing`), and invalid settings
 * of runtimes (`settings_invalid`). Empty if there are none.
 */
export function runtimeProblems(settings: RuntimeSettings & Pick<Settings, 'harness'>): readonly Problem[] {
  const registry = createRegistry(BUILT_IN_ADAPTERS);
  const offered = settings.host.runtimes;
  const listed = [...offeredRuntimes(settings), ...permittedRuntimes(settings)];
  const unknown = listed.filter(({ runtimeId }) => !registry.has(runtimeId));
  const missing = profileRuntimes(settings).filter(({ runtimeId }) => !offered.includes(runtimeId));
  return [
    ...unknown.map((named) => unknownRuntime(named, registry.runtimeIds)),
    ...missing.map((named) => missingRuntime(named, offered, registry)),
    ...adapterSettingsProblems(registry, settings.harness),
  ];
}

function missingRuntime(
  { runtimeId, path }: NamedRuntime,
  offered: readonly string[],
  known: HarnessRegistry,
): Problem {
  const usable = offered.filter((id) => known.has(id)).join(', ');
  return {
    code: 'runtime_missing',
    message: `the profile names runtime ${runtimeId}, which no host of this system offers`,
    path,
    hint: known.has(runtimeId)
      ? `Add ${runtimeId} to host.runtimes, or use one of ${usable}.`
      : `Use one of ${usable}.`,
  };
}

/** @throws ReinsError with every problem of `runtimeProblems` */
export function refuseUnavailableRuntimes(settings: RuntimeSettings & Pick<Settings, 'harness'>): void {
  const problems = runtimeProblems(settings);
  if (problems.length > 0) throw new ReinsError(problems);
}
