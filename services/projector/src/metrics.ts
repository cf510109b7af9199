import { METRICS, newCounter, newGauge, newHistogram } from '@reins/service-kit';
import type { BatchResult } from '@reins/store';
import type { Counter, Histogram, Registry } from 'prom-client';

/** Metrics of the projector: lag of the read model and cost of projecting. */
export class ProjectorMetrics {
  readonly #messages: Counter;
  readonly #seconds: Histogram;
  readonly #gaps: Counter;

  constructor(
    registry: Registry,
    lag: () => { readonly events: number; readonly seconds: number; readonly seq: number },
  ) {
    this.#messages = newCounter(registry, METRICS.projectorMessages);
    this.#seconds = newHistogram(registry, METRICS.projectorBatchSeconds);
    this.#gaps = newCounter(registry, METRICS.projectorGaps);
    newGauge(registry, METRICS.projectorLagEvents, () => lag().events);
    newGauge(registry, METRICS.projectorLagSeconds, () => lag().seconds);
    newGauge(registry, METRICS.projectorSequence, () => lag().seq);
  }

  written({ applied, duplicates, unreadable }: BatchResult, seconds: number): void {
    this.#messages.inc({ outcome: 'applied' }, applied);
    this.#messages.inc({ outcome: 'duplicate' }, duplicates);
    this.#messages.inc({ outcome: 'unreadable' }, unreadable);
    this.#seconds.observe(seconds);
  }

  gap(reason: string): void {
    this.#gaps.inc({ reason });
  }
}
