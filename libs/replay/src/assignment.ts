import { type EntryData, ReinsError, type RunAddress } from '@reins/contracts';
import { BARE_RUN, type EffectState, type Entry, type EntryDraft, pendingEffects, type RunState } from '@reins/journal';

/**
 * Checks that a process can be assigned to a run: the run has none or, with `force`, has not ended.
 * @throws ReinsError `process_already_assigned` · `request_ended`
 */
export function assertAssignable(state: RunState, { force = false }: { readonly force?: boolean | undefined }): void {
  const over = state.end?.status ?? (state.cancelRequested && 'being cancelled');
  if (over) throw runEndedError(state.run, over);
  if (state.process.id === BARE_RUN || force) return;
  throw new ReinsError({
    code: 'process_already_assigned',
    message: `the run already has the process ${state.process.id}`,
    path: state.run.runId,
    hint: 'Set `force` (in the CLI `--force`) to replace the process and cancel its pending effects.',
  });
}

/**
 * Whether an assignment gives the process of the run corrected code: it names the same process, and the revision with
 * the code. With `force` the process starts again instead.
 */
export const isCorrection = (state: RunState, { process, revision, force = false }: CodeAssignment): boolean =>
  revision !== undefined && process === state.process.id && !force;

/** A process to assign by its name, and the workspace revision with its code, if that is not the revision of the run. */
export interface CodeAssignment {
  readonly process: string;
  readonly revision?: string | undefined;
  readonly force?: boolean | undefined;
}

/** The error for a change of a run that has ended. */
export const runEndedError = ({ runId }: RunAddress, how: string): ReinsError =>
  new ReinsError({
    code: 'request_ended',
    message: `the run is ${how}`,
    path: runId,
    hint: 'Fork the run at an earlier entry to continue from there.',
  });

/** A process to assign, and its inputs. */
export type Assignment = Pick<
  EntryData['PROCESS_ASSIGNED'],
  'process' | 'inputs' | 'inputsRef' | 'metadata' | 'reason' | 'requestedBy' | 'idempotencyKey'
> & { readonly force?: boolean | undefined };

/**
 * The entries that assign a process to a run. The process starts from its beginning, and pending effects of the
 * previous one are cancelled. Pure.
 */
export function assignment(state: RunState, { force = false, ...given }: Assignment): EntryDraft[] {
  const data = { ...given, previous: state.process, force };
  return [
    ...cancellationsOf(pendingEffects(state), 'another process was assigned to the run'),
    { type: 'PROCESS_ASSIGNED', data },
  ];
}

/** Whether the process was assigned. A process that continued as new did that itself, and has no `previous`. */
export const isAssignment = (entry: Entry): entry is Entry<'PROCESS_ASSIGNED'> =>
  entry.type === 'PROCESS_ASSIGNED' && entry.data.previous !== undefined;

/** Cancels effects without waiting for their workers to confirm. */
export const cancellationsOf = (effects: readonly EffectState[], reason: string): EntryDraft[] =>
  effects.map(({ effectId, attempt }) => ({
    type: 'EFFECT_CANCELLED',
    data: { effectId, attempt, reason, confirmed: false },
  }));
