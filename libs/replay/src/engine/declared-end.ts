import type { JsonObject } from '@reins/contracts';
import type { Entry, EntryDraft } from '@reins/journal';
import { isEnd } from './end-states.ts';
import { MARKS } from './marks.ts';
import { lastStart } from './starts.ts';

/** The line before an end that was declared by hand. @param said why, as far as somebody said it */
export const sealOf = (said: JsonObject): EntryDraft => ({
  type: 'PROCESS_LOG',
  data: { label: MARKS.declared, message: said },
});

/** The code of a run whose process never ran. */
const NEVER_RAN = 'none';

/** Why a process that has ended lets go of what it still waits for. */
export const letGoBecause = (state: string): string => `the run is ${state}`;

/**
 * Whether somebody else than the process ended the run: an operator, or who drives it, when nobody came to help or its journal was damaged.
 * Such an end stands where the process had something else to do.
 */
export function isDeclared(entries: readonly Entry[]): boolean {
  const at = entries.findLastIndex(isEnd);
  const end = entries[at];
  if (!end) return false;
  const before = entries.slice(0, at);
  if ('sealed' in end.data || !hasRun(before)) return true;
  const last = before.at(-1);
  if (last?.type === 'PROCESS_LOG' && last.data.label === MARKS.declared) return true;
  // Journals of before have that line where nothing else told as much.
  if (end.type === 'RUN_COMPLETED') return false;
  if (last?.type === 'EFFECT_CANCELLED' && !last.data.confirmed)
    return last.data.reason === undefined || last.data.reason === reasonOf(end);
  return isHeld(before);
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

/** Nobody asks the process anything: an operator holds the run, or is waited for. */
function isHeld(entries: readonly Entry[]): boolean {
  const held = entries.findLast(({ type }) => HOLDS.has(type) || GOES_ON.has(type));
  return held !== undefined && HOLDS.has(held.type);
}

const HOLDS: ReadonlySet<string> = new Set<Entry['type']>(['RUN_PAUSED', 'PROCESS_RUNTIME_ERROR']);
const GOES_ON: ReadonlySet<string> = new Set<Entry['type']>([
  'RUN_RESUMED',
  'PROCESS_CODE_CHANGED',
  'PROCESS_ASSIGNED',
  'EFFECT_REQUESTED',
]);
