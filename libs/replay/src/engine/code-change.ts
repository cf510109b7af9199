import type { EntryDraft, RunState } from '@reins/journal';
import type { ProcessDefinition } from '../process-definition.ts';
import type { Turn } from './turn.ts';

/** The code hash of runs from another system that did not record one. */
const UNRECORDED = 'unknown';

/**
 * The entry that records a change of the process code, first in the commit of the replay's turn. Empty when the code is
 * the same, or when the run does not continue: it has ended, the code does not fit the journal, or fails as before.
 */
export function codeChange(
  { process, end }: Pick<RunState, 'process' | 'end'>,
  { id, codeHash }: Pick<ProcessDefinition, 'id' | 'codeHash'>,
  { state, drafts }: Pick<Turn, 'state' | 'drafts'>,
): readonly EntryDraft<'PROCESS_CODE_CHANGED'>[] {
  if (end || state === 'diverged' || (state === 'broken' && drafts.length === 0)) return [];
  if (process.id !== id || process.codeHash === codeHash || process.codeHash === UNRECORDED) return [];
  return [{ type: 'PROCESS_CODE_CHANGED', data: { from: process.codeHash, to: codeHash } }];
}
