import {
  defined,
  type JsonObject,
  type JsonValue,
  type Limits,
  ReinsError,
  type Stage,
  type Verdict,
} from '@reins/contracts';
import { EffectError, type EffectOptions, type ProcessContext } from '@reins/replay';
import type { RunStart } from './built-in-process.ts';
import { EndedStages } from './ended-stages.ts';
import {
  inside,
  type PipelineSteps,
  type Plan,
  type Prepared,
  type PrepareRequest,
  type StageRequest,
  type StageResult,
} from './pipeline-extension.ts';
import { stageKey } from './pipeline-inputs.ts';
import { mayReplace, type StageRunner, stageRunners } from './stage-runners.ts';
import { type ContinuedSession, StageSessions } from './stage-sessions.ts';

/** A try to run a stage. */
interface StageTry {
  readonly stage: Stage;
  readonly iteration: number;
  /** 0: on the chosen runtime; 1: on its first fallback. */
  readonly place: number;
  readonly runner: StageRunner;
}

/** A prepared try: the key of its effects, and the request to the host. */
interface PreparedTry {
  readonly key: string;
  readonly work: StageRequest;
}

/** Results of earlier stages that later stages receive as context. */
interface StageContext {
  interview?: JsonValue;
  previous?: JsonValue;
  verdict?: Verdict;
  reflection?: JsonValue;
}

/**
 * One run of the pipeline: plan, then the stages of the workspace's pipeline. Without an `evaluate` stage it executes
 * once. With one, a failing verdict leads back to `execute`, through `reflect` if configured, until a verdict passes.
 * After `max_iterations` failing verdicts the run fails.
 *
 * Every recorded journal depends on its decisions. Without the steps of extensions, they must never change.
 */
export class PipelineRun {
  readonly #context: ProcessContext;
  readonly #start: RunStart;
  readonly #steps: readonly PipelineSteps[];
  readonly #stageContext: StageContext = {};
  readonly #sessions: StageSessions;
  readonly #endedStages = new EndedStages();
  #tree: string;
  /** What the stages so far have used. */
  readonly #used = { usedTokens: 0, usedCostUsd: 0 };

  constructor(context: ProcessContext, start: RunStart, steps: readonly PipelineSteps[]) {
    this.#context = context;
    this.#start = start;
    this.#steps = steps;
    this.#sessions = new StageSessions(start.session);
    this.#tree = treeToStartFrom(start);
  }

  async run(): Promise<JsonValue> {
    for (const { beforePlan } of this.#steps) await beforePlan?.();
    const plan = await this.#plan();
    for (const { afterPlan } of this.#steps) await afterPlan?.(plan);
    const output = await this.#runStages(plan);
    for (const { beforeCompletion } of this.#steps) await beforeCompletion?.(output);
    return output;
  }

  async #runStages(plan: Plan): Promise<JsonValue> {
    const { stages } = plan.pipeline;
    if (stages.includes('interview')) this.#stageContext.interview = (await this.#stage(plan, 'interview', 1)).output;
    if (!stages.includes('execute')) return this.#lastOutput(plan, stages);
    return this.#iterate(plan, stages);
  }

  async #iterate(plan: Plan, stages: readonly Stage[]): Promise<JsonValue> {
    for (let iteration = 1; ; iteration += 1) {
      const executed = await this.#stage(plan, 'execute', iteration);
      this.#stageContext.previous = executed.output;
      if (!stages.includes('evaluate')) return executed.output;
      const { verdict } = await this.#stage(plan, 'evaluate', iteration);
      if (!verdict) throw verdictMissing();
      if (verdict.outcome === 'pass') return executed.output;
      if (iteration >= plan.pipeline.maxIterations) throw iterationsExhausted(iteration, verdict);
      this.#stageContext.verdict = verdict;
      if (stages.includes('reflect'))
        this.#stageContext.reflection = (await this.#stage(plan, 'reflect', iteration)).output;
    }
  }

  /** The output of a pipeline without `execute`: that of its last stage. */
  async #lastOutput(plan: Plan, stages: readonly Stage[]): Promise<JsonValue> {
    let output = this.#stageContext.interview ?? null;
    for (const stage of stages.filter((name) => name !== 'interview'))
      output = (await this.#stage(plan, stage, 1)).output;
    return output;
  }

  async #plan(): Promise<Plan> {
    const { revision, inputs } = this.#start;
    return (await this.#context.effect('plan', { revision }, { limits: inputs.limits.service })) as unknown as Plan;
  }

  /** Runs the stage on its runtime. When that fails, the next fallback takes over from the same tree. */
  async #stage(plan: Plan, stage: Stage, iteration: number): Promise<StageResult> {
    const { inputs } = this.#start;
    const runners = stageRunners(stage, inputs, plan.runtimeProfile);
    const runnerAt = (place: number): StageRunner | undefined => {
      const shared = inputs.shared?.[stageKey(stage, iteration, place)];
      return shared ? { limits: runners[place]?.limits ?? inputs.limits.stage, ...shared } : runners[place];
    };
    let replaces: StageRequest['replaces'];
    for (let place = 0; ; place += 1) {
      const runner = runnerAt(place) as StageRunner;
      const prepared = await this.#prepared(plan, { stage, iteration, place, runner });
      try {
        const work = { ...prepared.work, ...(replaces && { replaces }) };
        const result = await this.#runStage(prepared.key, work, runner.limits);
        return this.#ended(stage, runner.runtimeId, result);
      } catch (error) {
        const code = error instanceof EffectError ? error.code : undefined;
        const next = runnerAt(place + 1);
        if (code === undefined || !next || !mayReplace(code, runner.limits, inputs.profile.options?.[stage]))
          throw error;
        replaces = { runtimeId: runner.runtimeId, code };
      }
    }
  }

  async #prepared(plan: Plan, { stage, iteration, place, runner }: StageTry): Promise<PreparedTry> {
    const { agentId } = this.#start;
    const { runtimeId, runtimeSource, model, thinkingValue } = runner;
    const key = stageKey(stage, iteration, place);
    const session = this.#sessions.find({ agentId, stage, runtimeId });
    const prepare: PrepareRequest = {
      stage,
      runtimeId,
      planRef: { ...plan.planRef },
      iteration,
      input: this.#input({ ...(model && { model }), ...(thinkingValue && { thinkingValue }) }),
      context: this.#contextOf(stage, session),
      tree: this.#tree,
    };
    const { hostRequestRef, tree = this.#tree } = await this.#prepare(key, prepare);
    const work = {
      stage,
      runtimeId,
      runtimeSource,
      hostRequestRef,
      tree,
      ...(session && { harnessSessionId: session.harnessSessionId }),
      ...(plan.budget && { budget: { ...plan.budget, ...this.#used } }),
    };
    return { key, work };
  }

  /** Keeps what a stage leaves for the ones after it. */
  #ended(stage: Stage, runtimeId: string, result: StageResult): StageResult {
    this.#tree = result.tree;
    const { harnessSessionId, handoff } = result;
    this.#endedStages.add({ stage, runtimeId }, handoff);
    if (harnessSessionId) this.#sessions.add({ agentId: this.#start.agentId, stage, runtimeId }, harnessSessionId);
    const { inputTokens = 0, outputTokens = 0, costUsd = 0 } = result.usage ?? {};
    this.#used.usedTokens += inputTokens + outputTokens;
    this.#used.usedCostUsd += costUsd;
    return result;
  }

  #prepare(key: string, request: PrepareRequest): Promise<Prepared> {
    const { limits } = this.#start.inputs;
    const steps = this.#steps.map(({ aroundPrepare }) => aroundPrepare);
    const work = this.#effect<PrepareRequest, Prepared>('prepare', { key: `prepare:${key}`, limits: limits.service });
    return inside(steps, work)(request);
  }

  #runStage(key: string, request: StageRequest, limits: Limits): Promise<StageResult> {
    const steps = this.#steps.map(({ aroundStage }) => aroundStage);
    const work = this.#effect<StageRequest, StageResult>('stage', { key: `stage:${key}`, limits });
    return inside(steps, work)(request);
  }

  #effect<Request, Result>(kind: string, options: EffectOptions): (request: Request) => Promise<Result> {
    return async (request) => (await this.#context.effect(kind, request as JsonObject, options)) as unknown as Result;
  }

  #input(words: JsonObject): JsonObject {
    const { input, attachments, metadata } = this.#start.inputs;
    return { input, attachments: attachments.map((ref) => ({ ...ref })), metadata, ...words };
  }

  #contextOf(stage: Stage, continued: ContinuedSession | undefined): JsonObject {
    const { revision } = this.#start;
    const { turns, lastRun, compactionBoundary, endedStages } = this.#start.session;
    const known = {
      ...(turns && turns.length > 0 && { turns: turns.map((turn) => ({ ...turn })) }),
      ...(lastRun && { lastRun: { ...lastRun } }),
      ...defined({ compactionBoundary }),
      ...(endedStages && { endedStages: endedStages.map((ended) => ({ ...ended }) as unknown as JsonObject) }),
    };
    const session = Object.keys(known).length > 0 ? { session: known } : {};
    const { verdict, ...rest } = this.#stageContext;
    return {
      ...session,
      ...rest,
      ...this.#endedStages.unknownTo(stage, continued),
      ...(verdict && stage !== 'evaluate' && { verdict: { ...verdict } }),
      ...(this.#sessions.isCurrent && { revision, ...(continued && { continued: { ...continued } }) }),
    };
  }
}

/** A session continues in its own tree while the revision of the workspace is unchanged. */
function treeToStartFrom({ revision, session }: RunStart): string {
  return session.revision === revision && session.tree ? session.tree : revision;
}

function verdictMissing(): ReinsError {
  return new ReinsError({
    code: 'verdict_missing',
    message: 'the evaluate stage ended without a verdict',
    path: 'stages.evaluate',
  });
}

function iterationsExhausted(iterations: number, verdict: Verdict): ReinsError {
  const reasons = verdict.reasons.join('; ') || 'no reasons given';
  const message = `the evaluation still fails after ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}: ${reasons}`;
  return new ReinsError({ code: 'pipeline_budget_spent', message, path: 'pipeline.max_iterations' });
}
