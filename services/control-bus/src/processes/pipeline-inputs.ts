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
  /** Of a fork, by `stageKey`: how the stages that it shares were done. What it is given itself counts from there on. */
  readonly shared?: Readonly<Record<string, SharedStage>>;
}

/** How a stage was done that another run had done before. */
export interface SharedStage extends ChosenRuntime {
  readonly model?: string;
  readonly thinkingValue?: string;
}

/** A stage of a run: the n-th of its name. */
export const stageKey = (stage: Stage, iteration: number): string => `${stage}:${iteration}`;

export interface RuntimeProfile {
  readonly default: string;
  readonly stages: Partial<Record<Stage, string>>;
  /** Runtimes that a workspace may choose for itself. */
  readonly workspaceMayUse?: readonly string[];
}

/** The profile that a workspace brings along. */
export interface WorkspaceProfile {
  readonly default?: string;
  readonly stages?: Partial<Record<Stage, string>>;
}

export interface ChosenRuntime {
  readonly runtimeId: string;
  readonly runtimeSource: RuntimeSource;
}

/**
 * `runtime_profile.stages.get(stage, default)`; what the request itself names comes before it, and so does what the workspace asks for
 * where the installation lets it choose that runtime.
 */
export function chooseRuntime(
  stage: Stage,
  { stages, profile }: Pick<PipelineInputs, 'stages' | 'profile'>,
  workspace: WorkspaceProfile = {},
): ChosenRuntime {
  const permitted = (runtimeId: string | undefined): string | undefined =>
    runtimeId !== undefined && profile.workspaceMayUse?.includes(runtimeId) ? runtimeId : undefined;
  const choices: readonly (readonly [string | undefined, RuntimeSource])[] = [
    [stages[stage], 'request'],
    [permitted(workspace.stages?.[stage]), 'stage'],
    [permitted(workspace.default), 'default'],
    [profile.stages[stage], 'stage'],
  ];
  for (const [runtimeId, runtimeSource] of choices) if (runtimeId) return { runtimeId, runtimeSource };
  return { runtimeId: profile.default, runtimeSource: 'default' };
}
