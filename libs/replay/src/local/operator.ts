import { type ErrorInfo, type JsonValue, type ProcessRef, ReinsError, type RunAddress } from '@reins/contracts';
import {
  type EntryDraft,
  foldRun,
  type JournalStore,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import { BARE_RUN } from '../engine/coroutine.ts';

interface OperatorOptions {
  readonly store: JournalStore;
  readonly run: RunAddress;
  /** Says what would be recorded, and records nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => Date;
}

/**
 * Gives a bare run its process; with `force`, a run another one. Inputs may be given with it.
 * @throws ReinsError `process_already_assigned` · `request_ended`
 */
export async function assignProcess(
  options: OperatorOptions & { readonly process: ProcessRef; readonly inputs?: JsonValue; readonly force?: boolean },
): Promise<readonly EntryDraft[]> {
  const { process, inputs, force = false } = options;
  return decide(options, (state) => {
    if (state.process.id !== BARE_RUN && !force) throw alreadyAssigned(state);
    const given = inputs === undefined ? state.inputs : inputs;
    return [
      ...cancelled(state, 'the run got another process'),
      { type: 'PROCESS_ASSIGNED', data: { process, inputs: given } },
    ];
  });
}

/**
 * Ends a run by hand: whoever works for it is told to stop, and nothing is pending after it.
 * @throws ReinsError `request_ended`
 */
export async function haltRun(
  options: OperatorOptions & { readonly reason: string; readonly error?: ErrorInfo },
): Promise<readonly EntryDraft[]> {
  const { reason, error } = options;
  const end: EntryDraft = error ? { type: 'RUN_FAILED', data: { error } } : { type: 'RUN_HALTED', data: { reason } };
  return decide(options, (state) => [...cancelled(state, reason), end]);
}

async function decide(
  { store, run, dryRun, now = () => new Date() }: OperatorOptions,
  decision: (state: RunState) => readonly EntryDraft[],
): Promise<readonly EntryDraft[]> {
  const { entries, head, position } = await store.load(run);
  const state = foldRun(run, entries);
  if (entries.length === 0)
    throw new ReinsError({ code: 'request_not_found', message: `there is no run ${run.runId}` });
  if (state.end) throw new ReinsError({ code: 'request_ended', message: `the run is ${state.end.status}` });
  const drafts = decision(state);
  if (dryRun) return drafts;
  const answer = await store.append(
    run,
    { entries: sealEntries(head, drafts, now().toISOString()), epoch: 0 },
    position,
  );
  if (answer.outcome === 'fenced')
    throw new ReinsError({ code: 'run_locked', message: 'somebody else changed the run in between' });
  return drafts;
}

const cancelled = (state: RunState, reason: string): EntryDraft[] =>
  pendingEffects(state).map(({ effectId, attempt }) => ({
    type: 'EFFECT_CANCELLED',
    data: { effectId, attempt, reason, confirmed: false },
  }));

function alreadyAssigned({ process }: RunState): ReinsError {
  return new ReinsError({
    code: 'process_already_assigned',
    message: `the run has the process ${process.id}`,
    hint: 'force gives it another one; what the first one asked for is cancelled',
  });
}
