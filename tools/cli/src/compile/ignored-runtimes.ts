import { type Problem, STAGES } from '@reins/contracts';
import type { Settings } from '@reins/service-kit/installation';
import type { CompileResult } from '@reins/workspace-plan';
import { runtimeOfInstallation } from './plan-runtimes.ts';

/**
 * The stages that would not run on the runtime that their workspace names, because the installation does not permit
 * this choice: one warning for each line of the workspace. Pure.
 */
export function ignoredRuntimes(result: CompileResult, installation: Settings['runtimeProfile']): readonly Problem[] {
  const profile = result.ok ? result.plan.extensions?.runtime_profile : undefined;
  if (profile === undefined) return [];
  const runs = STAGES.flatMap((stage) => {
    const named = profile.stages[stage] ?? profile.default;
    const runtimeId = runtimeOfInstallation(stage, installation);
    if (named === undefined || named === runtimeId || installation.workspaceMayUse.includes(named)) return [];
    const path = profile.stages[stage] === undefined ? 'runtime_profile.default' : `runtime_profile.stages.${stage}`;
    return [{ stage, named, runtimeId, path }];
  });
  return [...new Set(runs.map(({ path }) => path))].map((path) => {
    const ignored = runs.filter((run) => run.path === path);
    const where = ignored.map(({ stage, runtimeId }) => `${stage} runs on ${runtimeId}`).join(', ');
    const [{ named } = { named: '' }] = ignored;
    return {
      code: 'runtime_profile_ignored',
      message: `the settings of this installation do not permit runtime ${named}: ${where}`,
      path,
      hint: `Add ${named} to runtimeProfile.workspaceMayUse, or remove this line.`,
    } as const;
  });
}
