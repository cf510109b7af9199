import { type EntryData, ReinsError, type RunAddress } from '@reins/contracts';
import { BARE_RUN, type EffectState, type Entry, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/**
 * Whether a run may be given a process, wherever its journal lies: one that has none, or with `force` any that is under way.
 * @throws ReinsError `process_already_assigned` · `request_ended`
 */
export function assertAssignable(state: RunState, { force = false }: { readonly force?: boolean | undefined }): void {
  const over = state.end?.status ?? (state.cancelRequested && 'being cancelled');
  if (over) throw runOver(state.run, over);
  if (state.process.id === BARE_RUN || force) return;
  throw new ReinsError({
    code: 'process_already_assigned',
    message: `the run has the process ${state.process.id}`,
    path: state.run.runId,
    hint: 'force gives it another one; what the first one asked for is cancelled',
  });
}

/** Of a run to which nothing can be done any more. */
export const runOver = ({ runId }: RunAddress, how: string): ReinsError =>
  new ReinsError({
    code: 'request_ended',
    message: `the run is ${how}`,
    path: runId,
    hint: 'fork it at an entry before its end: the fork goes on from there',
  });

/** What a run is given: a process, and what that begins with. */
export type Assignment = Pick<
  EntryData['PROCESS_ASSIGNED'],
  'process' | 'inputs' | 'inputsRef' | 'metadata' | 'reason' | 'requestedBy' | 'idempotencyKey'
> & { readonly force?: boolean | undefined };

/** The entries that give a run its process. It starts from its beginning: what another one asked for is cancelled. Pure. */
export function assignment(state: RunState, { force = false, ...given }: Assignment): EntryDraft[] {
  const data = { ...given, previous: state.process, force };
  return [...cancelledOf(pendingEffects(state), 'the run got another process'), { type: 'PROCESS_ASSIGNED', data }];
}

/** Whether somebody gave the run this process; one that began anew did that by itself. */
export const isAssignment = (entry: Entry): entry is Entry<'PROCESS_ASSIGNED'> =>
  entry.type === 'PROCESS_ASSIGNED' && entry.data.previous !== undefined;

/** Nobody waits for them any more; whoever works on one has not confirmed that. */
export const cancelledOf = (effects: readonly EffectState[], reason: string): EntryDraft[] =>
  effects.map(({ effectId, attempt }) => ({
    type: 'EFFECT_CANCELLED',
    data: { effectId, attempt, reason, confirmed: false },
  }));
