import type { AnyEvent, JsonValue } from '@reins/contracts';
import { type EffectState, type Entry, effectKind, pendingEffects, type RunState } from '@reins/journal';
import type { ProcessView } from '../decide/cancel.ts';
import { answerToParent, childCancel, childSubmit } from './child-runs.ts';

/** A message that follows from an entry, in addition to its facts. Idempotent. */
export type FollowUp =
  | { readonly kind: 'send-control'; readonly effectId: string; readonly control: HostControl }
  /** Clears the control messages of an attempt that has ended. */
  | { readonly kind: 'clear-controls'; readonly effectId: string }
  | { readonly kind: 'post-message'; readonly id: string; readonly body: AnyEvent }
  /** Stops the workers of the effects that the process of a cancelled run has abandoned. */
  | { readonly kind: 'cancel-abandoned-effects' };

/** A control message to the host of a running stage. */
export interface HostControl {
  readonly id: string;
  readonly kind: 'cancel' | 'answer';
  /** The attempt that the message is for. A cancellation also stops earlier attempts. */
  readonly attempt: number;
  readonly body?: JsonValue;
}

/**
 * The follow-ups of an entry. Pure.
 * @param state the state of the run after the entry was applied
 */
export function followUpsOf(state: RunState, entry: Entry): FollowUp[] {
  if (entry.version <= (state.forked?.shared ?? 0)) return sharedFollowUps(state, entry);
  const parent = answerToParent(state, entry);
  const own = ownFollowUps(state, entry);
  return parent ? [...own, { kind: 'post-message', id: `${entry.hash}.parent`, body: parent }] : own;
}

/** Shared entries of a fork have one kind of follow-up: the fork starts child runs for pending `child` effects. */
function sharedFollowUps(state: RunState, { version, hash }: Entry): FollowUp[] {
  if (version !== state.forked?.shared) return [];
  return pendingEffects(state)
    .filter(isChildRun)
    .map((effect) => ({
      kind: 'post-message',
      id: `${hash}.child.${effect.effectId}`,
      body: childSubmit(state, effect),
    }));
}

function ownFollowUps(state: RunState, entry: Entry): FollowUp[] {
  switch (entry.type) {
    case 'EFFECT_REQUESTED': {
      const effect = state.effects.get(entry.data.effectId);
      return effect && isChildRun(effect)
        ? [{ kind: 'post-message', id: `${entry.hash}.child`, body: childSubmit(state, effect) }]
        : [];
    }
    case 'EFFECT_ATTEMPT_FAILED':
      return endAttempt(state, entry);
    case 'EFFECT_ANSWERED':
      return answerControl(state, entry);
    case 'EFFECT_CANCELLED':
      return stop(state, state.effects.get(entry.data.effectId));
    case 'EFFECT_RESOLVED':
      return entry.data.status === 'error' ? stopAfter(state, entry) : [];
    case 'RUN_CANCEL_REQUESTED':
      return [{ kind: 'cancel-abandoned-effects' }];
    default:
      return [];
  }
}

/** An attempt that did not report its end may still be running. Any other failure was reported by its host. */
function endAttempt(state: RunState, { data }: Entry<'EFFECT_ATTEMPT_FAILED'>): FollowUp[] {
  const { attempt, effectId, error } = data;
  return error.code === 'effect_timed_out'
    ? stop(state, state.effects.get(effectId), attempt)
    : [{ kind: 'clear-controls', effectId }];
}

function answerControl(state: RunState, { data, hash }: Entry<'EFFECT_ANSWERED'>): FollowUp[] {
  const { answer, effectId, resumption } = data;
  if (resumption !== undefined) return [];
  const effect = state.effects.get(effectId);
  const control = { id: hash, kind: 'answer', body: answer } as const;
  return effect ? [{ kind: 'send-control', effectId, control: { ...control, attempt: effect.attempt } }] : [];
}

/** After an error that the host did not report, the host is still working. So is a child run that timed out. */
function stopAfter(state: RunState, { data }: Entry<'EFFECT_RESOLVED'>): FollowUp[] {
  const effect = state.effects.get(data.effectId);
  return effect && isChildRun(effect) && data.error?.code !== 'effect_timed_out' ? [] : stop(state, effect);
}

const isChildRun = ({ kind }: EffectState): boolean => effectKind(kind).resolvedBy === 'child';

/** Stops the worker of an attempt. A host that takes the work later finds the control message and does not start. */
function stop(state: RunState, effect: EffectState | undefined, attempt = effect?.attempt ?? 1): FollowUp[] {
  if (!effect) return [];
  switch (effectKind(effect.kind).stop) {
    case 'host': {
      const control = { id: `cancel.${attempt}`, kind: 'cancel', attempt } as const;
      return [{ kind: 'send-control', effectId: effect.effectId, control }];
    }
    case 'child': {
      const body = childCancel(state, effect);
      return [{ kind: 'post-message', id: `${body.requestId}.cancel.${effect.attempt}`, body }];
    }
    default:
      return [];
  }
}

/** Stops the workers of all pending effects, except those that the clean-up still waits for. */
export function cancelAbandonedEffects(state: RunState, process: ProcessView): FollowUp[] {
  return pendingEffects(state)
    .filter(({ effectId }) => !process.waitsFor(effectId))
    .flatMap((effect) => stop(state, effect));
}
