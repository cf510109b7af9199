import type { BlobRef, JsonObject, JsonValue, Limits, RuntimeSource, Stage } from '@reins/contracts';

/**
 * The inputs of a pipeline run, recorded in RUN_CREATED. They include the settings that its decisions depend on, so that
 * a replay under other settings makes the same decisions.
 */
export interface PipelineInputs {
  readonly input: JsonValue;
  readonly attachments: readonly BlobRef[];
  readonly model?: string;
  readonly thinkingValue?: string;
  readonly metadata: JsonObject;
  /** The request's own choice: stage → runtime id. */
  readonly stages: Partial<Record<Stage, string>>;
  /** The installation's profile when the run was created. */
  readonly profile: RuntimeProfile;
  /** `memory`: of a recall. Absent in runs that earlier versions created. */
  readonly limits: { readonly service: Limits; readonly stage: Limits; readonly memory?: Limits };
  /** For a fork, by `stageKey`: how the shared stages were run. Later stages use the fork's own inputs. */
  readonly shared?: Readonly<Record<string, SharedStage>>;
}

/** A model and its thinking value, where they are chosen for a stage. */
export interface ModelChoice {
  readonly model?: string;
  readonly thinkingValue?: string;
}

/** How the origin of a fork ran a stage. */
export interface SharedStage extends ChosenRuntime, ModelChoice {}

/**
 * Identifies a stage run: the n-th of that name, on the runtime that was chosen for it or on one of its fallbacks.
 * @param fallback 0: the chosen runtime; 1: the first fallback
 */
export const stageKey = (stage: Stage, iteration: number, fallback = 0): string =>
  fallback === 0 ? `${stage}:${iteration}` : `${stage}:${iteration}:fallback:${fallback}`;

export interface RuntimeProfile {
  readonly default: string;
  readonly stages: Partial<Record<Stage, string>>;
  /** What the profile says about stages on the runtimes in `stages`. */
  readonly options?: Partial<Record<Stage, StageOptions>>;
  /** Runtimes that a workspace may choose. */
  readonly workspaceMayUse?: readonly string[];
}

/** What the installation's profile says about a stage, next to its runtime. */
export interface StageOptions extends ModelChoice {
  readonly runForMs?: number;
  readonly maxAttempts?: number;
  /**
   * After an attempt that made no progress or exceeded a time limit: `retry`: as after other failures; `fallback`: the
   * next runtime takes over at once; `fail`: the stage fails.
   */
  readonly onTimeout?: 'retry' | 'fallback' | 'fail';
  /** The runtimes that take over, in this order, when all attempts have failed. */
  readonly fallback?: readonly ({ readonly runtime: string } & ModelChoice)[];
}

/** The runtime profile in a workspace's configuration. */
export interface WorkspaceProfile {
  readonly default?: string;
  readonly stages?: Partial<Record<Stage, string>>;
}

export interface ChosenRuntime {
  readonly runtimeId: string;
  readonly runtimeSource: RuntimeSource;
}

/**
 * Chooses the runtime of a stage. In order of precedence: the request, the workspace (if the installation permits that
 * runtime), the stage in the installation's profile, the default of that profile.
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
