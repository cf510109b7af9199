import { performance as real } from 'node:perf_hooks';
import { clock, isWithinStep, startOfRun } from '../ambient.ts';

/** `performance` with the clock of the process. Time zero is the start of the run. */
export const performance = {
  now: (): number => (isWithinStep() ? real.now() : clock() - startOfRun()),
  get timeOrigin(): number {
    return startOfRun();
  },
};

export default { performance };
