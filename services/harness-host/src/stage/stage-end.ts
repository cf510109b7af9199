import type { HeldClaim } from '@reins/bus';
import { defined, type JsonObject, type RuntimeStageRequested } from '@reins/contracts';
import type { HarnessResult, HarnessRun } from '@reins/harness';
import type { HostRequest } from '@reins/runtime-config';
import type { StageExecutor } from '../executor/stage-executor.ts';
import type { Redactor } from '../secrets/redactor.ts';
import type { StageServices } from '../services/stage-services.ts';
import type { AdapterEventPublisher } from '../signals/signal-publisher.ts';
import type { StageAnswer } from './answers.ts';
import { handoffOf } from './handoff.ts';
import {
  type Captured,
  completedAnswer,
  executionError,
  failedAnswer,
  suspendedAnswer,
  thrownAnswer,
  unknownAnswer,
} from './outcome.ts';
import { retryWhileClaimed } from './retry-while-claimed.ts';
import type { StageControls } from './stage-controls.ts';
import type { StageWorkspace } from './stage-workspace.ts';
import type { Stopwatch } from './stopwatch.ts';
import type { ToolResults } from './tool-results.ts';

/** A stage that is ready to run. */
export interface PreparedStage {
  readonly workspace: StageWorkspace;
  readonly signals: AdapterEventPublisher;
  readonly redactor: Redactor;
  readonly executor: StageExecutor;
  readonly run: HarnessRun;
  readonly request: HostRequest;
  readonly services: StageServices | undefined;
}

export interface StageEndParts {
  readonly event: RuntimeStageRequested;
  readonly claim: HeldClaim;
  readonly controls: StageControls;
  readonly stopwatch: Stopwatch;
  readonly toolResults: ToolResults;
}

/** The end of an attempt of a stage: what is captured, and what is answered. */
export class StageEnd {
  readonly #event: RuntimeStageRequested;
  readonly #claim: HeldClaim;
  readonly #controls: StageControls;
  readonly #stopwatch: Stopwatch;
  readonly #toolResults: ToolResults;

  constructor({ event, claim, controls, stopwatch, toolResults }: StageEndParts) {
    this.#event = event;
    this.#claim = claim;
    this.#controls = controls;
    this.#stopwatch = stopwatch;
    this.#toolResults = toolResults;
  }

  /** The answer to the result of an executor. Captures what the next run needs. */
  async answerOf(result: HarnessResult, prepared: PreparedStage): Promise<StageAnswer> {
    const { stopped } = this.#controls;
    // A question survives the stop of its host.
    const isAnswered = result.status === 'ok' || (result.status === 'waiting' && stopped === 'shutdown');
    if (stopped && !isAnswered) return this.stoppedAnswer();
    switch (result.status) {
      case 'ok': {
        const captured = {
          ...(await this.#capture(result, prepared)),
          ...prepared.services?.outcomeAtEnd(prepared.redactor),
          ...handoffOf(this.#toolResults, prepared),
        };
        return completedAnswer(this.#event.stage, result, captured, this.#stopwatch.timings);
      }
      case 'waiting': {
        prepared.services?.suspendedWith(result.question);
        const captured = await this.#capture(result, prepared);
        await prepared.signals.settled();
        return suspendedAnswer(result, captured, prepared.signals.count);
      }
      case 'cancelled':
        return this.stoppedAnswer();
      default: {
        const { error, retryable, status, usage } = result;
        return {
          ...failedAnswer(executionError(this.#event.stage, error, prepared.redactor), retryable, status),
          ...(usage && { usage }),
        };
      }
    }
  }

  /** Stores the files and the session of the stage, so that the next run can be on any host. */
  async #capture(
    { harnessSessionId: nativeId }: { readonly harnessSessionId?: string },
    { workspace, redactor, services }: PreparedStage,
  ): Promise<Captured> {
    const [tree, session] = await this.#stopwatch.time('capture', () =>
      Promise.all([
        retryWhileClaimed(this.#claim, () => workspace.captureWork(redactor)),
        nativeId === undefined
          ? undefined
          : retryWhileClaimed(this.#claim, () =>
              workspace.captureSession({ nativeId, state: this.#stateOf(services) }, redactor),
            ),
      ]),
    );
    return { tree, ...defined({ harnessSessionId: session }) };
  }

  /** What the next execution of this conversation needs. */
  #stateOf(services: StageServices | undefined): JsonObject | undefined {
    if (!services) return undefined;
    return { ...services.state, toolResults: this.#toolResults.results.map((result) => ({ ...result })) };
  }

  /** The answer of a run that threw an error. */
  afterError(error: unknown): StageAnswer {
    return this.#controls.stopped ? this.stoppedAnswer() : thrownAnswer(error);
  }

  /** The answer of a run that was stopped. */
  stoppedAnswer(): StageAnswer {
    if (this.#controls.stopped === 'shutdown') return unknownAnswer('the harness host was stopped while the stage ran');
    return { type: 'runtime.stage.cancelled' };
  }
}
