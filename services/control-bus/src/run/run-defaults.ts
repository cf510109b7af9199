import type { Limits } from '@reins/contracts';
import type { Settings } from '@reins/service-kit';
import type { RunDefaults } from './create-run.ts';

/** Plans and preparations have no external side effects, so an unknown outcome is retried. */
const SERVICE_ATTEMPTS = 3;

/** The defaults of new runs, from the settings. */
export function runDefaults({ limits, runtimeProfile }: Settings): RunDefaults {
  const service: Limits = {
    startWithinMs: limits.serviceRunForMs,
    runForMs: limits.serviceRunForMs,
    maxAttempts: SERVICE_ATTEMPTS,
    onUnknown: 'retry',
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
