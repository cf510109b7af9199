import type { ModelCall } from '@reins/contracts';
import type { EndedCall, MeasuredCall } from '../doors/model/usage/metered-call.ts';
import type { AdapterEventPublisher } from '../signals/signal-publisher.ts';

export interface ModelCallParts {
  /** The model of the run, and the runtime that calls it. */
  readonly named: Pick<ModelCall, 'provider' | 'model'>;
  readonly runtimeId: string;
  readonly trace: { modelCall(call: MeasuredCall): void };
  readonly measure: (call: MeasuredCall) => void;
}

/** Publishes the model calls of one run: as signals, as spans and as metrics. */
export class ModelCalls {
  readonly #parts: ModelCallParts;
  #signals: AdapterEventPublisher | undefined;

  constructor(parts: ModelCallParts) {
    this.#parts = parts;
  }

  /** Call it before the executor starts. */
  publishTo(signals: AdapterEventPublisher): void {
    this.#signals = signals;
  }

  /** Stops the signals: those of a fenced attempt must not mix with those of the next one. */
  fence(): void {
    this.#signals = undefined;
  }

  ended(ended: EndedCall): void {
    const { named, runtimeId, trace, measure } = this.#parts;
    const measured = { ...ended, call: { ...named, ...ended.call } };
    this.#signals?.accept({ adapter: runtimeId, phase: 'agent.model.call', modelCall: measured.call });
    trace.modelCall(measured);
    measure(measured);
  }
}
