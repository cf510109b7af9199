import { STAGES } from '@reins/contracts';
import type { RuntimeProfileSettings } from '../settings/settings.ts';
import { runtimesOfStage } from '../settings/stage-settings.ts';

/**
 * The runtimes that hosts have to offer before this profile can run requests: its default, and the runtime of each
 * stage. A runtime is not needed while one of its fallbacks is offered.
 * @param requested the runtimes of stages in a request: it replaces those of the profile, and has no fallbacks
 */
export function requiredRuntimes(
  { default: fallback, stages, stageSettings = {} }: RuntimeProfileSettings,
  isOffered: (runtimeId: string) => boolean,
  requested: Readonly<Partial<Record<string, string>>> = {},
): readonly string[] {
  const ofStages = STAGES.flatMap((stage) => {
    const own = requested[stage];
    if (own !== undefined) return [own];
    const runtimeId = stages[stage];
    if (runtimeId === undefined) return [];
    const isReplaced = runtimesOfStage(runtimeId, stageSettings[stage]).slice(1).some(isOffered);
    return isReplaced ? [] : [runtimeId];
  });
  return [fallback, ...ofStages];
}
