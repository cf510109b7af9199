import type { Stage } from '@reins/contracts';
import type { Settings } from '@reins/service-kit/installation';
import { type CompiledWorkspaceRuntimePlan, extensionsOf } from '@reins/workspace-plan';

type Profile = Settings['runtimeProfile'];

/** The runtime that the installation uses for a stage if the workspace names none, or one that it must not name. */
export const runtimeOfInstallation = (stage: Stage, { stages, default: fallback }: Profile): string =>
  stages[stage] ?? fallback;

/**
 * The runtimes of the stages of a plan, or of all stages without a plan. A runtime of the workspace counts only if the
 * installation permits it. Pure.
 */
export function planRuntimes(plan: CompiledWorkspaceRuntimePlan | undefined, profile: Profile): readonly string[] {
  if (plan === undefined) return [profile.default, ...Object.values(profile.stages)];
  const { pipeline, runtime_profile: named } = extensionsOf(plan);
  return pipeline.stages.map((stage) => {
    const wanted = [named.stages[stage], named.default];
    return wanted.find((id) => id && profile.workspaceMayUse.includes(id)) ?? runtimeOfInstallation(stage, profile);
  });
}
