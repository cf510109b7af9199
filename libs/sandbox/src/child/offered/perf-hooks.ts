import { performance as real } from 'node:perf_hooks';
import { clock, isWithinStep, startOfRun } from '../ambient.ts';

/** `performance` by the clock of the process, from the start of the run. */
export const performance = {
  now: (): number => (isWithinStep() ? real.now() : clock() - startOfRun()),
  get timeOrigin(): number {
    return startOfRun();
  },
};

export default { performance };
