import type { Entry } from '@reins/journal';

/** What is in a journal because the process decided it, beside what it says and what it lets go of. */
export const DECISIONS: ReadonlySet<string> = new Set<Entry['type']>([
  'EFFECT_REQUESTED',
  'PROCESS_ASSIGNED',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);
