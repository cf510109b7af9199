import type { BlobRef, EventOf, JsonValue, MemoryUse, Stage, StageHandoff, Usage, Verdict } from '@reins/contracts';
import type { ProcessContext } from '@reins/replay';
import type { RunStart } from './built-in-process.ts';
import type { WorkspaceProfile } from './pipeline-inputs.ts';

/**
 * An extension of the pipeline. It is part of the process: it decides deterministically, and does everything else with
 * effects. A run has the extensions with which it started.
 */
export interface PipelineExtension {
  /** Recorded in the journal of each run that has it. A change of its decisions needs another id. */
  readonly id: string;
  /** Called once for each run. */
  readonly start: (context: ProcessContext, run: RunStart) => PipelineSteps;
}

/** The steps that an extension adds to one run. */
export interface PipelineSteps {
  /** Before the plan is requested. */
  readonly beforePlan?: () => Promise<void>;
  /** After the plan, before the first stage. */
  readonly afterPlan?: (plan: Plan) => Promise<void>;
  /** Around the preparation of a stage, for example to add to its `context`. */
  readonly aroundPrepare?: Around<PrepareRequest, Prepared>;
  /** Around a stage that was prepared. */
  readonly aroundStage?: Around<StageRequest, StageResult>;
  /** Before the run completes with this output. Not called when it fails or is cancelled. */
  readonly beforeCompletion?: (output: JsonValue) => Promise<void>;
}

/** What the process knows of the plan. */
export interface Plan {
  readonly planRef: BlobRef;
  readonly pipeline: { readonly stages: readonly Stage[]; readonly maxIterations: number };
  readonly runtimeProfile?: WorkspaceProfile;
  readonly budget?: { readonly maxTokens?: number; readonly maxCostUsd?: number };
  readonly memory?: readonly MemoryUse[];
}

/** Calls `next` once with the request, or with a changed one, and returns its result, or a changed one. */
export type Around<Request, Result> = (
  request: Request,
  next: (request: Request) => Promise<Result>,
) => Promise<Result>;

/** The fields that a run adds to a request. */
type Added =
  | 'type'
  | 'requestId'
  | 'sessionId'
  | 'agentId'
  | 'workspaceId'
  | 'effectId'
  | 'attempt'
  | 'deadline'
  | 'limits';

export type PrepareRequest = Omit<EventOf<'runtime.prepare.requested'>, Added>;

export interface Prepared {
  readonly hostRequestRef: BlobRef;
  /** The tree that the stage starts from, if the preparation changed it. */
  readonly tree?: string;
}

export type StageRequest = Omit<EventOf<'runtime.stage.requested'>, Added>;

export interface StageResult {
  readonly output: JsonValue;
  readonly tree: string;
  readonly verdict?: Verdict;
  readonly harnessSessionId?: string;
  readonly usage?: Usage;
  readonly handoff?: StageHandoff;
}

/** Wraps `work` in steps. The first step is the outermost. */
export function inside<Request, Result>(
  steps: readonly (Around<Request, Result> | undefined)[],
  work: (request: Request) => Promise<Result>,
): (request: Request) => Promise<Result> {
  return steps.reduceRight<typeof work>((next, step) => (step ? (request) => step(request, next) : next), work);
}
