import type { BatchResult } from '@reins/store';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** How far behind the read model is, and what projecting costs. */
export class ProjectorMetrics {
  readonly #messages: Counter<'outcome'>;
  readonly #seconds: Histogram;
  readonly #gaps: Counter<'reason'>;

  constructor(
    registry: Registry,
    lag: () => { readonly events: number; readonly seconds: number; readonly seq: number },
  ) {
    const registers = [registry];
    this.#messages = new Counter({
      name: 'reins_projector_messages_total',
      help: 'Messages of the log by what became of them',
      labelNames: ['outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'reins_projector_batch_seconds',
      help: 'Time of one transaction',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
      registers,
    });
    this.#gaps = new Counter({
      name: 'reins_projector_gaps_total',
      help: 'Times that the log no longer had what came next',
      labelNames: ['reason'],
      registers,
    });
    gauge(
      registers,
      'reins_projector_lag_events',
      'Messages of the log that are not projected yet',
      () => lag().events,
    );
    gauge(
      registers,
      'reins_projector_lag_seconds',
      'Age of the oldest message that is not projected yet',
      () => lag().seconds,
    );
    gauge(registers, 'reins_projector_sequence', 'Sequence of the last message projected', () => lag().seq);
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

function gauge(registers: Registry[], name: string, help: string, value: () => number): void {
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(value());
    },
  });
}
