import {
  defined,
  type ErrorInfo,
  type JsonValue,
  type ProcessRef,
  ReinsError,
  type RunAddress,
} from '@reins/contracts';
import {
  type EffectState,
  type EntryDraft,
  foldRun,
  type JournalStore,
  type LargeValues,
  offloadLargeValues,
  pendingEffects,
  type RunState,
  sealEntries,
} from '@reins/journal';
import { assertAssignable, assignment, cancellationsOf, runEndedError } from '../assignment.ts';
import { externalEndMark } from '../engine/external-end.ts';
import { type PostedResult, resolution } from './answers.ts';

interface OperatorOptions {
  readonly store: JournalStore;
  readonly run: RunAddress;
  /** Returns the entries without recording them. */
  readonly dryRun?: boolean;
  readonly now?: () => Date;
  /** Stores values that are too large for the journal. Without it, all values are in the journal. */
  readonly blobs?: LargeValues;
}

/**
 * Assigns a process to a bare run or, with `force`, another process to any run. Inputs are optional.
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

/** How an operator ends a run. */
export type ForcedEndStatus = 'completed' | 'failed' | 'halted';

/** Ends a run and cancels its pending effects. @throws ReinsError `request_ended` */
export async function haltRun(
  options: OperatorOptions & { readonly reason: string; readonly as?: ForcedEndStatus; readonly error?: ErrorInfo },
): Promise<readonly EntryDraft[]> {
  const { reason } = options;
  return decide(options, (state) => {
    return [...cancelled(state, reason), externalEndMark({ reason }), declaredEnd(options)];
  });
}

function declaredEnd({
  reason,
  error,
  as = error ? 'failed' : 'halted',
}: {
  reason: string;
  error?: ErrorInfo;
  as?: ForcedEndStatus;
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
 * Records the result of an effect without running the process.
 * @throws ReinsError `effect_not_pending` · `request_ended`
 */
export async function postResult(
  options: OperatorOptions & { readonly effectId: string; readonly posted: PostedResult },
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
 * Makes the process request this effect, and everything after it, again. Pending ones of these are cancelled.
 * @throws ReinsError `effect_not_pending` when there is no such effect · `effect_superseded` · `request_ended`
 */
export async function invalidateEffect(
  options: OperatorOptions & { readonly effectId: string; readonly reason?: string },
): Promise<readonly EntryDraft[]> {
  const { effectId, reason } = options;
  return decide(options, (state) => {
    const effect = requireInvalidatable(state, effectId);
    const later = pendingEffects(state).filter(({ requestedVersion }) => requestedVersion >= effect.requestedVersion);
    const idempotencyKey = `invalidate ${effectId} at ${state.head.version}`;
    const data = { effectId, idempotencyKey, ...defined({ reason }) };
    return [...cancellationsOf(later, 'the effect will be requested again'), { type: 'EFFECT_INVALIDATED', data }];
  });
}

/**
 * Returns an effect that the current process can request again: it was requested since the process last started.
 * @throws ReinsError `effect_not_pending` when there is no such effect · `effect_superseded`
 */
export function requireInvalidatable({ effects, assignedVersion }: RunState, effectId: string): EffectState {
  const effect = effects.get(effectId);
  if (!effect) throw unknownEffect(effectId);
  if (effect.requestedVersion >= assignedVersion) return effect;
  throw new ReinsError({
    code: 'effect_superseded',
    message: `effect ${effectId} was requested at entry ${effect.requestedVersion}, before the process last started at entry ${assignedVersion}, so it cannot be requested again`,
    path: effectId,
    hint: 'Fork the run at an entry before the result of the effect. Only effects requested after the last start can be invalidated.',
  });
}

const unknownEffect = (effectId: string): ReinsError =>
  new ReinsError({ code: 'effect_not_pending', message: `the run has no effect ${effectId}`, path: effectId });

/** @throws ReinsError `effect_not_pending` */
export function pendingEffect(state: RunState, effectId: string): EffectState {
  const effect = state.effects.get(effectId);
  if (effect && state.pending.has(effectId)) return effect;
  if (!effect) throw unknownEffect(effectId);
  const message = `effect ${effectId} is already ${effect.status}`;
  throw new ReinsError({ code: 'effect_not_pending', message, path: effectId });
}

async function decide(
  { store, run, dryRun, blobs, now = () => new Date() }: OperatorOptions,
  decision: (state: RunState) => readonly EntryDraft[],
): Promise<readonly EntryDraft[]> {
  const { entries, head, position } = await store.load(run);
  const state = foldRun(run, entries);
  if (entries.length === 0)
    throw new ReinsError({ code: 'request_not_found', message: `run ${run.runId} does not exist` });
  if (state.end) throw runEndedError(run, state.end.status);
  const drafts = decision(state);
  if (dryRun) return drafts;
  const sealed = sealEntries(head, await offloadLargeValues(drafts, blobs), now().toISOString());
  const answer = await store.append(run, { entries: sealed, epoch: 0 }, position);
  if (answer.outcome === 'fenced')
    throw new ReinsError({ code: 'run_locked', message: 'the run was changed by another writer meanwhile' });
  return drafts;
}

const cancelled = (state: RunState, reason: string): EntryDraft[] => cancellationsOf(pendingEffects(state), reason);
