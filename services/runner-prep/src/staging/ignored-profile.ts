import type { Problem, RuntimePrepareRequested } from '@reins/contracts';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';

/** Warns when a stage does not run on the runtime that its workspace requests. */
export function ignoredProfile(
  plan: CompiledWorkspaceRuntimePlan,
  { stage, runtimeId }: Pick<RuntimePrepareRequested, 'stage' | 'runtimeId'>,
): readonly Problem[] {
  const profile = plan.extensions?.runtime_profile;
  const requested = profile?.stages[stage] ?? profile?.default;
  if (requested === undefined || requested === runtimeId) return [];
  return [
    {
      code: 'runtime_profile_ignored',
      message: `the workspace requests runtime '${requested}' for its ${stage} stage, but the stage runs on '${runtimeId}'`,
      path: profile?.stages[stage] === undefined ? 'runtime_profile.default' : `runtime_profile.stages.${stage}`,
      hint: 'Ask an operator to add the runtime to runtimeProfile.workspaceMayUse, or set the runtime in the request.',
    },
  ];
}
