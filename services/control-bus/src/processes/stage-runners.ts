import { defined, type Limits, type Stage } from '@reins/contracts';
import { isFailureOfRuntime, isStalled, mayHaveActed } from '@reins/journal';
import {
  type ChosenRuntime,
  chooseRuntime,
  type ModelChoice,
  type PipelineInputs,
  type StageOptions,
  type WorkspaceProfile,
} from './pipeline-inputs.ts';

/** One way to run a stage: a runtime, its model, and the limits of its attempts. */
export interface StageRunner extends ChosenRuntime, ModelChoice {
  readonly limits: Limits;
}

/**
 * The runners of a stage: the chosen runtime, then its fallbacks. They are tried in this order. The options in
 * the installation's profile apply if the stage runs on the runtime that the profile names for it. The model and the
 * thinking value of the request take precedence.
 */
export function stageRunners(
  stage: Stage,
  inputs: Pick<PipelineInputs, 'stages' | 'profile' | 'limits' | 'model' | 'thinkingValue'>,
  workspace?: WorkspaceProfile,
): readonly StageRunner[] {
  const chosen = chooseRuntime(stage, inputs, workspace);
  const { profile, limits } = inputs;
  const options = chosen.runtimeId === profile.stages[stage] ? profile.options?.[stage] : undefined;
  const asked = defined({ model: inputs.model, thinkingValue: inputs.thinkingValue });
  const fallbacks = options?.fallback ?? [];
  const own = limitsOf(limits.stage, options);
  return [{ ...chosen, ...modelOf(options) }, ...fallbacks.map(asFallback)].map((runner, place) => ({
    ...runner,
    ...asked,
    // While a fallback is left, a stage does not wait for a host that is missing.
    limits: place < fallbacks.length ? { ...own, onNoHost: 'fail' } : own,
  }));
}

/** Whether the next runner may take over after this failure of a stage. */
export function mayReplace(code: string, { onUnknown }: Limits, options: StageOptions | undefined): boolean {
  if (!isFailureOfRuntime(code)) return false;
  if (mayHaveActed(code) && onUnknown !== 'retry') return false;
  return !(isStalled(code) && options?.onTimeout === 'fail');
}

const asFallback = ({ runtime, ...model }: NonNullable<StageOptions['fallback']>[number]) => ({
  runtimeId: runtime,
  runtimeSource: 'fallback' as const,
  ...model,
});

const modelOf = ({ model, thinkingValue }: StageOptions = {}): ModelChoice => defined({ model, thinkingValue });

function limitsOf(limits: Limits, { runForMs, maxAttempts, onTimeout }: StageOptions = {}): Limits {
  return {
    ...limits,
    ...defined({ runForMs, maxAttempts }),
    ...(onTimeout !== undefined && { onTimeout: onTimeout === 'retry' ? 'retry' : 'fail' }),
  };
}
