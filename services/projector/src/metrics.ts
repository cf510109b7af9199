import { METRICS, newCounter, newGauge, newHistogram, newLabelledGauge } from '@reins/service-kit';
import type { BatchResult, Ends, WaitingRuns } from '@reins/store';
import type { Counter, Histogram, Registry } from 'prom-client';

/** Metrics of the projector: lag of the read model, cost of projecting, and the runs that it projects. */
export class ProjectorMetrics {
  readonly #messages: Counter;
  readonly #seconds: Histogram;
  readonly #runs: Counter;
  readonly #stages: Histogram;
  #waiting: readonly WaitingRuns[] = [];

  constructor(
    registry: Registry,
    lag: () => { readonly events: number; readonly seconds: number; readonly seq: number },
  ) {
    this.#messages = newCounter(registry, METRICS.projectorMessages);
    this.#seconds = newHistogram(registry, METRICS.projectorBatchSeconds);
    this.#runs = newCounter(registry, METRICS.runsEnded);
    this.#stages = newHistogram(registry, METRICS.stageSeconds);
    newLabelledGauge(registry, METRICS.runsWaiting, () =>
      this.#waiting.map(({ reason, count }) => [{ reason }, count]),
    );
    newLabelledGauge(registry, METRICS.runsWaitingSeconds, () =>
      this.#waiting.map(({ reason, since }) => [{ reason }, Math.max(0, (Date.now() - Date.parse(since)) / 1000)]),
    );
    newGauge(registry, METRICS.projectorLagEvents, () => lag().events);
    newGauge(registry, METRICS.projectorLagSeconds, () => lag().seconds);
    newGauge(registry, METRICS.projectorSequence, () => lag().seq);
  }

  written({ applied, duplicates, unreadable, ends }: BatchResult, seconds: number): void {
    this.#messages.inc({ outcome: 'applied' }, applied);
    this.#messages.inc({ outcome: 'duplicate' }, duplicates);
    this.#messages.inc({ outcome: 'unreadable' }, unreadable);
    this.#seconds.observe(seconds);
    this.#ended(ends);
  }

  /** Replaces the numbers of waiting runs; empty if they are not known. */
  waiting(runs: readonly WaitingRuns[]): void {
    this.#waiting = runs;
  }

  #ended({ runs, stages }: Ends): void {
    for (const outcome of runs) this.#runs.inc({ outcome });
    for (const { stage, runtimeId, outcome, seconds } of stages) {
      if (seconds !== undefined) this.#stages.observe({ stage, runtime: runtimeId, outcome }, seconds);
    }
  }
}
