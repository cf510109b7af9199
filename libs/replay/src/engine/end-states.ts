import type { Entry } from '@reins/journal';
import type { EndState } from './outcome.ts';

export type EndType = 'RUN_COMPLETED' | 'RUN_FAILED' | 'RUN_CANCELLED' | 'RUN_HALTED';

/** The state of a process whose journal has such an entry. */
export const END_STATES: Record<EndType, EndState> = {
  RUN_COMPLETED: 'completed',
  RUN_FAILED: 'failed',
  RUN_CANCELLED: 'cancelled',
  RUN_HALTED: 'halted',
};

export const isEnd = ({ type }: Entry): boolean => Object.hasOwn(END_STATES, type);
