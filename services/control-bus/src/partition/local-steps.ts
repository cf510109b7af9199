import type { RunAddress } from '@reins/contracts';
import type { DueStep } from '@reins/replay';
import type { Clock } from './clock.ts';

export type StepResult = Awaited<ReturnType<DueStep['run']>>;

/** The local steps of the runs of a partition that are under way, each once. */
export class LocalSteps {
  readonly #clock: Clock;
  readonly #done: (run: RunAddress, result: StepResult) => Promise<void>;
  readonly #underWay = new Set<string>();
  readonly #waiting = new Set<() => void>();

  /** @param done takes the result; a run that could not be reached asks for the step again when it is back in memory */
  constructor(clock: Clock, done: (run: RunAddress, result: StepResult) => Promise<void>) {
    this.#clock = clock;
    this.#done = done;
  }

  /** Runs the step when its backoff is over. A run that was brought into memory anew may ask for one that is under way. */
  start(run: RunAddress, step: DueStep): void {
    const id = `${run.runId}.${step.effectId}.${step.attempt}`;
    if (this.#underWay.has(id)) return;
    this.#underWay.add(id);
    const wait = step.attempt === 1 ? 0 : Math.max(0, step.notBefore - this.#clock.now().getTime());
    // A timer, however short, is a millisecond: longer than most steps and their entry take.
    if (wait === 0) return void Promise.resolve().then(() => this.#run(id, run, step));
    const cancel = this.#clock.after(wait, () => {
      this.#waiting.delete(cancel);
      void this.#run(id, run, step);
    });
    this.#waiting.add(cancel);
  }

  /** What has not begun does not begin. */
  stop(): void {
    for (const cancel of this.#waiting) cancel();
    this.#waiting.clear();
  }

  async #run(id: string, run: RunAddress, step: DueStep): Promise<void> {
    const result = await step.run();
    this.#underWay.delete(id);
    await this.#done(run, result);
  }
}
