import type { Problem, RuntimePrepareRequested } from '@reins/contracts';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';

/** Says where a workspace asks for another runtime than the one that its stage was given. */
export function ignoredProfile(
  plan: CompiledWorkspaceRuntimePlan,
  { stage, runtimeId }: Pick<RuntimePrepareRequested, 'stage' | 'runtimeId'>,
): readonly Problem[] {
  const profile = plan.extensions?.runtime_profile;
  const wanted = profile?.stages[stage] ?? profile?.default;
  if (wanted === undefined || wanted === runtimeId) return [];
  return [
    {
      code: 'runtime_profile_ignored',
      message: `the workspace asks for runtime '${wanted}' for its ${stage} stage; it runs on '${runtimeId}'`,
      path: profile?.stages[stage] === undefined ? 'runtime_profile.default' : `runtime_profile.stages.${stage}`,
      hint: `an operator permits it with the setting runtimeProfile.workspaceMayUse; what a request names comes first`,
    },
  ];
}
