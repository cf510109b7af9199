import type { Entry, EntryDraft, RunState } from '@reins/journal';
import { recordsDivergence } from '../engine/divergence.ts';
import type { Turn } from '../engine/turn.ts';
import { OPERATOR_GRACE_MS } from '../process-definition.ts';

/**
 * The entry to add when the process state after a replay differs from the journal. Either a failed process continues, for
 * example because its code was restored, or it fails again as before.
 * @param changes the entries that are appended before this one in any case
 */
export function reconcileProcessState(
  state: Pick<RunState, 'run' | 'head' | 'end' | 'pending' | 'processError'>,
  turn: Pick<Turn, 'state' | 'divergence'>,
  changes: readonly EntryDraft[],
  { entries, replayedAt }: { readonly entries: readonly Entry[]; readonly replayedAt: string },
): readonly EntryDraft[] {
  if (state.end) return [];
  const isBroken = turn.state === 'broken' || turn.state === 'diverged';
  if (isBroken) return state.processError ? [] : repeatedError(turn, changes, entries, replayedAt);
  // A process that waits for nothing does not continue.
  return state.processError && state.pending.size > 0 ? resumeEntries(state, changes) : [];
}

/** No entry is needed if another one already shows that the process continues. */
function resumeEntries({ run, head }: Pick<RunState, 'run' | 'head'>, changes: readonly EntryDraft[]): EntryDraft[] {
  if (changes.some(({ type }) => RECOVERS.has(type))) return [];
  const idempotencyKey = `resume ${run.runId} at ${head.version}`;
  return [{ type: 'RUN_RESUMED', data: { reason: 'the process matches its journal again', idempotencyKey } }];
}

const RECOVERS: ReadonlySet<string> = new Set([
  'PROCESS_CODE_CHANGED',
  'PROCESS_ASSIGNED',
  'EFFECT_REQUESTED',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);

/** A replayed error is not a new decision, so the earlier entry is recorded again. */
function repeatedError(
  { divergence }: Pick<Turn, 'divergence'>,
  changes: readonly EntryDraft[],
  entries: readonly Entry[],
  replayedAt: string,
): EntryDraft[] {
  if (changes.some(({ type }) => type === 'PROCESS_RUNTIME_ERROR')) return [];
  const known = entries.findLast(
    (entry) => entry.type === 'PROCESS_RUNTIME_ERROR' && (!divergence || recordsDivergence(entry, divergence)),
  );
  if (known?.type !== 'PROCESS_RUNTIME_ERROR') return [];
  const expiresAt = new Date(Date.parse(replayedAt) + OPERATOR_GRACE_MS).toISOString();
  return [{ type: 'PROCESS_RUNTIME_ERROR', data: { ...known.data, expiresAt } }];
}
