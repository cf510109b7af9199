import { type ErrorInfo, type JsonValue, type ProcessRef, ReinsError, type RunAddress } from '@reins/contracts';
import {
  type EffectState,
  type EntryDraft,
  foldRun,
  type JournalStore,
  type LargeValues,
  pendingEffects,
  type RunState,
  sealEntries,
  withSmallValues,
} from '@reins/journal';
import { assertAssignable, assignment, cancelledOf, runOver } from '../assignment.ts';
import { sealOf } from '../engine/declared-end.ts';
import { type Posted, resolution } from './answers.ts';

interface OperatorOptions {
  readonly store: JournalStore;
  readonly run: RunAddress;
  /** Says what would be recorded, and records nothing. */
  readonly dryRun?: boolean;
  readonly now?: () => Date;
  /** Where values go that are too large for the journal; without it all are in the journal. */
  readonly blobs?: LargeValues;
}

/**
 * Gives a bare run its process; with `force`, a run another one. Inputs may be given with it.
 * @throws ReinsError `process_already_assigned` · `request_ended`
 */
export async function assignProcess(
  options: OperatorOptions & { readonly process: ProcessRef; readonly inputs?: JsonValue; readonly force?: boolean },
): Promise<readonly EntryDraft[]> {
  const { process, inputs, force } = options;
  return decide(options, (state) => {
    assertAssignable(state, { force });
    return assignment(state, { process, ...(inputs === undefined ? inputsOf(state) : { inputs }), force });
  });
}

const inputsOf = ({ inputs, inputsRef }: RunState) => ({ inputs, ...(inputsRef && { inputsRef }) });

/** How a run is ended by hand. */
export type Seal = 'completed' | 'failed' | 'halted';

/**
 * Ends a run by hand: whoever works for it is told to stop, and nothing is pending after it.
 * @throws ReinsError `request_ended`
 */
export async function haltRun(
  options: OperatorOptions & { readonly reason: string; readonly as?: Seal; readonly error?: ErrorInfo },
): Promise<readonly EntryDraft[]> {
  const { reason } = options;
  return decide(options, (state) => {
    return [...cancelled(state, reason), sealOf({ reason }), declaredEnd(options)];
  });
}

function declaredEnd({
  reason,
  error,
  as = error ? 'failed' : 'halted',
}: {
  reason: string;
  error?: ErrorInfo;
  as?: Seal;
}): EntryDraft {
  switch (as) {
    case 'halted':
      return { type: 'RUN_HALTED', data: { reason } };
    case 'failed':
      return { type: 'RUN_FAILED', data: { error: error ?? { code: 'process_failed', message: reason } } };
    case 'completed':
      return { type: 'RUN_COMPLETED', data: { output: null } };
  }
}

/**
 * Records the result of an effect, without running the process: whoever drives the run goes on from there.
 * @throws ReinsError `effect_not_pending` · `request_ended`
 */
export async function postResult(
  options: OperatorOptions & { readonly effectId: string; readonly posted: Posted },
): Promise<readonly EntryDraft[]> {
  const { effectId, posted } = options;
  return decide(options, (state) => [
    { type: 'EFFECT_RESOLVED', data: resolution(pendingEffect(state, effectId), posted) },
  ]);
}

/** @throws ReinsError `effect_not_pending` · `request_ended` */
export async function cancelEffect(
  options: OperatorOptions & { readonly effectId: string; readonly reason?: string },
): Promise<readonly EntryDraft[]> {
  const { effectId, reason } = options;
  return decide(options, (state) => {
    const { attempt } = pendingEffect(state, effectId);
    const why = reason === undefined ? {} : { reason };
    return [{ type: 'EFFECT_CANCELLED', data: { effectId, attempt, confirmed: true, ...why } }];
  });
}

/**
 * The process asks for this effect, and for everything after it, again; what is under way of that is cancelled.
 * @throws ReinsError `effect_not_pending` when there is no such effect · `effect_superseded` · `request_ended`
 */
export async function invalidateEffect(
  options: OperatorOptions & { readonly effectId: string; readonly reason?: string },
): Promise<readonly EntryDraft[]> {
  const { effectId, reason } = options;
  return decide(options, (state) => {
    const effect = invalidatable(state, effectId);
    const later = pendingEffects(state).filter(({ requestedVersion }) => requestedVersion >= effect.requestedVersion);
    const idempotencyKey = `invalidate ${effectId} at ${state.head.version}`;
    const data = { effectId, idempotencyKey, ...(reason !== undefined && { reason }) };
    return [...cancelledOf(later, 'the effect is asked for again'), { type: 'EFFECT_INVALIDATED', data }];
  });
}

/**
 * An effect that the process can be made to ask for again: what it asked for before it began anew, or another process did, nobody asks for again.
 * @throws ReinsError `effect_not_pending` when there is no such effect · `effect_superseded`
 */
export function invalidatable({ effects, assignedVersion }: RunState, effectId: string): EffectState {
  const effect = effects.get(effectId);
  if (!effect) throw unknownEffect(effectId);
  if (effect.requestedVersion >= assignedVersion) return effect;
  throw new ReinsError({
    code: 'effect_superseded',
    message: `effect ${effectId} was asked for at entry ${effect.requestedVersion}, before the process last began at entry ${assignedVersion}: that is not done again`,
    path: effectId,
    hint: 'fork the run before it got its result; what was asked for since can be invalidated',
  });
}

const unknownEffect = (effectId: string): ReinsError =>
  new ReinsError({ code: 'effect_not_pending', message: `the run has no effect ${effectId}`, path: effectId });

/** @throws ReinsError `effect_not_pending` */
export function pendingEffect(state: RunState, effectId: string): EffectState {
  const effect = state.effects.get(effectId);
  if (effect && state.pending.has(effectId)) return effect;
  if (!effect) throw unknownEffect(effectId);
  const message = `effect ${effectId} is ${effect.status} already`;
  throw new ReinsError({ code: 'effect_not_pending', message, path: effectId });
}

async function decide(
  { store, run, dryRun, blobs, now = () => new Date() }: OperatorOptions,
  decision: (state: RunState) => readonly EntryDraft[],
): Promise<readonly EntryDraft[]> {
  const { entries, head, position } = await store.load(run);
  const state = foldRun(run, entries);
  if (entries.length === 0)
    throw new ReinsError({ code: 'request_not_found', message: `there is no run ${run.runId}` });
  if (state.end) throw runOver(run, state.end.status);
  const drafts = decision(state);
  if (dryRun) return drafts;
  const sealed = sealEntries(head, await withSmallValues(drafts, blobs), now().toISOString());
  const answer = await store.append(run, { entries: sealed, epoch: 0 }, position);
  if (answer.outcome === 'fenced')
    throw new ReinsError({ code: 'run_locked', message: 'somebody else changed the run in between' });
  return drafts;
}

const cancelled = (state: RunState, reason: string): EntryDraft[] => cancelledOf(pendingEffects(state), reason);
