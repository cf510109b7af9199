import type { Settings } from './settings.ts';

/** The ids of all runtimes in the settings. Each has its own durable. */
export function runtimeIdsOf({ host, runtimeProfile }: Settings): string[] {
  return [
    ...new Set([
      ...host.runtimes,
      runtimeProfile.default,
      ...Object.values(runtimeProfile.stages),
      ...runtimeProfile.workspaceMayUse,
    ]),
  ].sort();
}
