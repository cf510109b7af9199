import { performance as real } from 'node:perf_hooks';
import { beginning, clock, isWithinStep } from '../ambient.ts';

/** `performance`: counts from the run's beginning, by the clock of the process. */
export const performance = {
  now: (): number => (isWithinStep() ? real.now() : clock() - beginning()),
  get timeOrigin(): number {
    return beginning();
  },
};

export default { performance };
