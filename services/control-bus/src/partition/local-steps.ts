import type { RunAddress } from '@reins/contracts';
import type { DueStep } from '@reins/replay';
import type { Clock } from './clock.ts';

export type StepResult = Awaited<ReturnType<DueStep['run']>>;

/** Runs the local steps of a partition, each step at most once at a time. */
export class LocalSteps {
  readonly #clock: Clock;
  readonly #done: (run: RunAddress, result: StepResult) => Promise<void>;
  readonly #running = new Set<string>();
  readonly #waiting = new Set<() => void>();

  /** @param done receives the result. If it fails, the run requests the step again when it is loaded next. */
  constructor(clock: Clock, done: (run: RunAddress, result: StepResult) => Promise<void>) {
    this.#clock = clock;
    this.#done = done;
  }

  /** Runs the step after its backoff. Ignores a step that is already running: a reloaded run may request it again. */
  start(run: RunAddress, step: DueStep): void {
    const id = `${run.runId}.${step.effectId}.${step.attempt}`;
    if (this.#running.has(id)) return;
    this.#running.add(id);
    const wait = step.attempt === 1 ? 0 : Math.max(0, step.notBefore - this.#clock.now().getTime());
    // No timer here: even the shortest one takes a millisecond, which is longer than most steps.
    if (wait === 0) return void Promise.resolve().then(() => this.#run(id, run, step));
    const cancel = this.#clock.after(wait, () => {
      this.#waiting.delete(cancel);
      void this.#run(id, run, step);
    });
    this.#waiting.add(cancel);
  }

  /** Cancels the steps that have not started. */
  stop(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  async #run(id: string, run: RunAddress, step: DueStep): Promise<void> {
    const result = await step.run();
    this.#running.delete(id);
    await this.#done(run, result);
  }
}
