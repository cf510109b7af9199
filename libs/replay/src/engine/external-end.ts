import type { JsonObject } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { isEnd } from './end-states.ts';
import { MARKS } from './marks.ts';
import { lastStart } from './starts.ts';

/** The log entry before an end that was not decided by the process. @param details the reason, if one was given */
export const externalEndMark = (details: JsonObject): EntryDraft => ({
  type: 'PROCESS_LOG',
  data: { label: MARKS.externalEnd, message: details },
});

/** The code hash of a run whose process never ran. */
const NEVER_RAN = 'none';

/** Why an ended process cancels its pending effects. */
export const abandonReason = (state: string): string => `the run is ${state}`;

/**
 * Whether someone other than the process ended the run: an operator, or its owner after a timeout or because of a
 * corrupted journal. The process may have decided something else at that place.
 */
export function isExternalEnd(entries: readonly Entry[]): boolean {
  const at = entries.findLastIndex(isEnd);
  const end = entries[at];
  if (!end) return false;
  const before = entries.slice(0, at);
  if ('sealed' in end.data || !hasRun(before)) return true;
  const last = before.at(-1);
  if (last?.type === 'PROCESS_LOG' && last.data.label === MARKS.externalEnd) return true;
  // Older journals have the log entry only where nothing else shows this.
  if (end.type === 'RUN_COMPLETED') return false;
  if (last?.type === 'EFFECT_CANCELLED' && !last.data.confirmed)
    return last.data.reason === undefined || last.data.reason === reasonOf(end);
  return isSuspended(before);
}

function reasonOf(end: Entry): string | undefined {
  if (end.type === 'RUN_FAILED') return end.data.error.message;
  return end.type === 'RUN_HALTED' ? end.data.reason : undefined;
}

function hasRun(entries: readonly Entry[]): boolean {
  const start = entries[lastStart(entries)];
  return (
    (start?.type === 'RUN_CREATED' || start?.type === 'PROCESS_ASSIGNED') && start.data.process.codeHash !== NEVER_RAN
  );
}

/** Whether the process is suspended: an operator paused the run or is needed to fix it. */
function isSuspended(entries: readonly Entry[]): boolean {
  const held = entries.findLast(({ type }) => SUSPENDS.has(type) || RESUMES.has(type));
  return held !== undefined && SUSPENDS.has(held.type);
}

const SUSPENDS: ReadonlySet<string> = new Set<Entry['type']>(['RUN_PAUSED', 'PROCESS_RUNTIME_ERROR']);
const RESUMES: ReadonlySet<string> = new Set<Entry['type']>([
  'RUN_RESUMED',
  'PROCESS_CODE_CHANGED',
  'PROCESS_ASSIGNED',
  'EFFECT_REQUESTED',
]);
