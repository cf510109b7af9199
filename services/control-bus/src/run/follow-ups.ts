import type { AnyEvent, JsonValue } from '@reins/contracts';
import { type EffectState, type Entry, pendingEffects, type RunState } from '@reins/journal';
import type { ProcessView } from './cancel.ts';
import { answerToParent, childCancel, childSubmit } from './child-runs.ts';

/** What others must learn of an entry, beside its facts. Done again, it changes nothing. */
export type FollowUp =
  | { readonly kind: 'send-control'; readonly effectId: string; readonly order: HostOrder }
  /** Orders that were for an attempt that is over. */
  | { readonly kind: 'clear-controls'; readonly effectId: string }
  | { readonly kind: 'post-message'; readonly id: string; readonly body: AnyEvent }
  /** Whoever works on what a cancelled run's process has let go of. */
  | { readonly kind: 'cancel-abandoned-effects' };

export interface HostOrder {
  readonly id: string;
  readonly kind: 'cancel' | 'answer';
  readonly body?: JsonValue;
}

/**
 * What follows from an entry. Pure.
 * @param state the state of the run after the entry was applied
 */
export function followUpsOf(state: RunState, entry: Entry): FollowUp[] {
  if (entry.version <= (state.forked?.shared ?? 0)) return sharedFollowUps(state, entry);
  const parent = answerToParent(state, entry);
  const own = ownFollowUps(state, entry);
  return parent ? [...own, { kind: 'post-message', id: `${entry.hash}.parent`, body: parent }] : own;
}

/** Of entries that a fork shares, only the runs inside it that they left pending: they are runs of its own. */
function sharedFollowUps(state: RunState, { version, hash }: Entry): FollowUp[] {
  if (version !== state.forked?.shared) return [];
  return pendingEffects(state)
    .filter(({ kind }) => kind === 'child')
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
      return effect?.kind === 'child'
        ? [{ kind: 'post-message', id: `${entry.hash}.child`, body: childSubmit(state, effect) }]
        : [];
    }
    case 'EFFECT_ATTEMPT_FAILED':
      return [{ kind: 'clear-controls', effectId: entry.data.effectId }];
    case 'EFFECT_ANSWERED': {
      const { effectId, answer } = entry.data;
      return [{ kind: 'send-control', effectId, order: { id: entry.hash, kind: 'answer', body: answer } }];
    }
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

/** A host whose result did not come from itself works on; so does a child run that took too long. */
function stopAfter(state: RunState, { data }: Entry<'EFFECT_RESOLVED'>): FollowUp[] {
  const effect = state.effects.get(data.effectId);
  return effect?.kind === 'child' && data.error?.code !== 'effect_timed_out' ? [] : stop(state, effect);
}

/** Work that a host runs for long. */
const ON_HOSTS: ReadonlySet<string> = new Set(['stage', 'tool.direct', 'workflow']);

/** A host that takes the work only later finds the order and does not begin. */
function stop(state: RunState, effect: EffectState | undefined): FollowUp[] {
  if (effect && ON_HOSTS.has(effect.kind))
    return [{ kind: 'send-control', effectId: effect.effectId, order: { id: 'cancel', kind: 'cancel' } }];
  if (effect?.kind !== 'child') return [];
  const body = childCancel(state, effect);
  return [{ kind: 'post-message', id: `${body.requestId}.cancel.${effect.attempt}`, body }];
}

/** Who must stop because the run is cancelled: everyone but those whom the clean-up still needs. */
export function cancelAbandonedEffects(state: RunState, process: ProcessView): FollowUp[] {
  return pendingEffects(state)
    .filter(({ effectId }) => !process.waitsFor(effectId))
    .flatMap((effect) => stop(state, effect));
}
