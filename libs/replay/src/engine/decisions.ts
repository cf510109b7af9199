import type { Entry } from '@reins/journal';

/** The entries that a process decides, except for its logs and cancellations. */
export const DECISIONS: ReadonlySet<string> = new Set<Entry['type']>([
  'EFFECT_REQUESTED',
  'PROCESS_ASSIGNED',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);
