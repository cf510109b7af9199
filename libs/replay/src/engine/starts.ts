import type { Entry } from '@reins/journal';
import { isAssignment } from '../assignment.ts';

/** Where the process last began: with the run, when it was assigned, or anew. A run without end is replayed from there. */
export function lastStart(entries: readonly Entry[]): number {
  const at = entries.findLastIndex(({ type }) => type === 'PROCESS_ASSIGNED');
  return Math.max(0, at);
}

/** Which entry gave the run the process that it has: a process that began anew did that by itself. */
export function beginningIn(entries: readonly Entry[]): number {
  let processId = '';
  let at = 0;
  entries.forEach((entry, index) => {
    if (entry.type !== 'RUN_CREATED' && entry.type !== 'PROCESS_ASSIGNED') return;
    // Other systems do not say whom a process replaced.
    if (isAssignment(entry) || entry.data.process.id !== processId) at = index;
    processId = entry.data.process.id;
  });
  return at;
}

/**
 * The first start of the process that the run has, as far as the code is the same since: what ended under other code binds the code of
 * later starts to nothing.
 */
export function firstStart(entries: readonly Entry[]): number {
  const beginning = beginningIn(entries);
  const changed = entries.findLastIndex(({ type }) => type === 'PROCESS_CODE_CHANGED');
  return changed < beginning ? beginning : Math.max(beginning, lastStart(entries.slice(0, changed)));
}
