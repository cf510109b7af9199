import type { Entry, EntryDraft, RunState } from '@reins/journal';
import { tellsOf } from '../engine/divergence.ts';
import type { Turn } from '../engine/turn.ts';
import { OPERATOR_GRACE_MS } from '../process-definition.ts';

/**
 * What the journal shall have besides when a replay comes to something else than it says last of the process: it goes on although it had
 * failed by itself, as where its code was brought back; or it fails again as it did before it went on.
 * @param changes what is appended in any case, before this
 */
export function standingChange(
  state: Pick<RunState, 'run' | 'head' | 'end' | 'pending' | 'processError'>,
  turn: Pick<Turn, 'state' | 'divergence'>,
  changes: readonly EntryDraft[],
  { entries, replayedAt }: { readonly entries: readonly Entry[]; readonly replayedAt: string },
): readonly EntryDraft[] {
  if (state.end) return [];
  const isBroken = turn.state === 'broken' || turn.state === 'diverged';
  if (isBroken) return state.processError ? [] : failsAgain(turn, changes, entries, replayedAt);
  // One that waits for nothing does not go on.
  return state.processError && state.pending.size > 0 ? goesOn(state, changes) : [];
}

/** What says by itself that the process goes on needs nothing beside it. */
function goesOn({ run, head }: Pick<RunState, 'run' | 'head'>, changes: readonly EntryDraft[]): EntryDraft[] {
  if (changes.some(({ type }) => RECOVERS.has(type))) return [];
  const idempotencyKey = `resume ${run.runId} at ${head.version}`;
  return [{ type: 'RUN_RESUMED', data: { reason: 'the process comes to what its journal has', idempotencyKey } }];
}

const RECOVERS: ReadonlySet<string> = new Set([
  'PROCESS_CODE_CHANGED',
  'PROCESS_ASSIGNED',
  'EFFECT_REQUESTED',
  'RUN_COMPLETED',
  'RUN_FAILED',
  'RUN_HALTED',
]);

/** The replay of an error that the journal has decides nothing new. */
function failsAgain(
  { divergence }: Pick<Turn, 'divergence'>,
  changes: readonly EntryDraft[],
  entries: readonly Entry[],
  replayedAt: string,
): EntryDraft[] {
  if (changes.some(({ type }) => type === 'PROCESS_RUNTIME_ERROR')) return [];
  const known = entries.findLast(
    (entry) => entry.type === 'PROCESS_RUNTIME_ERROR' && (!divergence || tellsOf(entry, divergence)),
  );
  if (known?.type !== 'PROCESS_RUNTIME_ERROR') return [];
  const expiresAt = new Date(Date.parse(replayedAt) + OPERATOR_GRACE_MS).toISOString();
  return [{ type: 'PROCESS_RUNTIME_ERROR', data: { ...known.data, expiresAt } }];
}
