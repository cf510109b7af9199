import type { Limits } from '@reins/contracts';
import { RETRIES } from '@reins/journal';
import type { Settings } from '@reins/service-kit';
import type { RunDefaults } from './create-run.ts';

/** The defaults of new runs, from the settings. */
export function runDefaults({ limits, runtimeProfile }: Settings): RunDefaults {
  const service: Limits = {
    startWithinMs: limits.serviceRunForMs,
    runForMs: limits.serviceRunForMs,
    ...RETRIES.service,
  };
  const stage: Limits = {
    startWithinMs: limits.stageStartWithinMs,
    prepareForMs: limits.stagePrepareForMs,
    runForMs: limits.stageRunForMs,
    maxAttempts: limits.stageMaxAttempts,
    onUnknown: limits.stageOnUnknown,
  };
  return {
    profile: {
      default: runtimeProfile.default,
      stages: { ...runtimeProfile.stages },
      workspaceMayUse: [...runtimeProfile.workspaceMayUse],
    },
    limits: { service, stage },
  };
}
