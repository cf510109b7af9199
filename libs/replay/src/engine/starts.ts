import type { Entry } from '@reins/journal';
import { isAssignment } from '../assignment.ts';

/** The index of the last start of the process: creation, assignment or restart. Replay begins there. */
export function lastStart(entries: readonly Entry[]): number {
  const at = entries.findLastIndex(({ type }) => type === 'PROCESS_ASSIGNED');
  return Math.max(0, at);
}

/** The index of the entry that gave the run its current process. Restarts of the same process do not count. */
export function assignmentIndex(entries: readonly Entry[]): number {
  let processId = '';
  let at = 0;
  entries.forEach((entry, index) => {
    if (entry.type !== 'RUN_CREATED' && entry.type !== 'PROCESS_ASSIGNED') return;
    // Other systems do not record the previous process.
    if (isAssignment(entry) || entry.data.process.id !== processId) at = index;
    processId = entry.data.process.id;
  });
  return at;
}

/**
 * The index of the first start of the current process since its code last changed. Starts under earlier code do not
 * constrain later ones.
 */
export function firstStart(entries: readonly Entry[]): number {
  const beginning = assignmentIndex(entries);
  const changed = entries.findLastIndex(({ type }) => type === 'PROCESS_CODE_CHANGED');
  return changed < beginning ? beginning : Math.max(beginning, lastStart(entries.slice(0, changed)));
}

/** The starts of the current process that ended in a restart, oldest first: the index of each, and of its restart. */
export function pastStarts(entries: readonly Entry[]): { readonly from: number; readonly to: number }[] {
  const first = firstStart(entries);
  const starts = entries.flatMap(({ type }, at) =>
    at === first || (at > first && type === 'PROCESS_ASSIGNED') ? [at] : [],
  );
  return starts.slice(1).map((to, i) => ({ from: starts[i] as number, to }));
}
