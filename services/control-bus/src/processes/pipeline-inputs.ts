import type { BlobRef, JsonObject, JsonValue, Limits, RuntimeSource, Stage } from '@reins/contracts';

/**
 * What a pipeline run is given, once, in RUN_CREATED. Whatever of the installation its decisions depend on is in here, so that a
 * replay under other settings decides the same.
 */
export interface PipelineInputs {
  readonly input: JsonValue;
  readonly attachments: readonly BlobRef[];
  readonly model?: string;
  readonly thinkingValue?: string;
  readonly metadata: JsonObject;
  /** Of this request alone: stage → runtime id. */
  readonly stages: Partial<Record<Stage, string>>;
  /** The installation's profile when the run was created. */
  readonly profile: RuntimeProfile;
  readonly limits: { readonly service: Limits; readonly stage: Limits };
}

export interface RuntimeProfile {
  readonly default: string;
  readonly stages: Partial<Record<Stage, string>>;
}

export interface ChosenRuntime {
  readonly runtimeId: string;
  readonly runtimeSource: RuntimeSource;
}

/** `runtime_profile.stages.get(stage, default)`; what the request itself names comes before both. */
export function chooseRuntime(stage: Stage, inputs: Pick<PipelineInputs, 'stages' | 'profile'>): ChosenRuntime {
  const requested = inputs.stages[stage];
  if (requested) return { runtimeId: requested, runtimeSource: 'request' };
  const mapped = inputs.profile.stages[stage];
  if (mapped) return { runtimeId: mapped, runtimeSource: 'stage' };
  return { runtimeId: inputs.profile.default, runtimeSource: 'default' };
}
