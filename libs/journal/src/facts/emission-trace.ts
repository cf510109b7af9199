import type { EventType } from '@reins/contracts';
import type { Entry } from '../entries/entry.ts';
import type { RunState } from '../state/run-state.ts';
import { effectKind } from './effect-kinds.ts';

/** Where a fact belongs in the trace of its run. It follows from the journal alone, so it is the same whoever tells it. */
export interface EmissionTrace {
  /** The W3C trace context that the run was submitted in. */
  readonly parent: string;
  /** The effect that the fact is about; none: the run itself. */
  readonly effectId?: string;
  /** Of a fact that ends its effect or its run: from when to when that lasted (RFC 3339). */
  readonly lasted?: { readonly from: string; readonly to: string };
  /** Of a run's end: effects that were cancelled without a fact of their own, and when each was asked for. */
  readonly silent?: readonly { readonly effectId: string; readonly kind: string; readonly from: string }[];
}

const ENDS = /^runtime\.(?!request\.).*\.(completed|compiled|failed|rejected|cancelled)$/;

/** Undefined for a run without a trace. */
export function emissionTrace(
  state: RunState,
  entry: Entry,
  type: EventType,
  { effectId, terminal }: { readonly effectId: unknown; readonly terminal: boolean },
): EmissionTrace | undefined {
  const { traceparent: parent, createdAt, effects } = state;
  if (parent === undefined) return undefined;
  const to = entry.recordedAt;
  const effect = typeof effectId === 'string' ? effects.get(effectId) : undefined;
  if (terminal) return { parent, lasted: { from: createdAt, to }, silent: silentlyCancelled(state) };
  if (!effect) return { parent };
  const goesOn = entry.type === 'EFFECT_ATTEMPT_FAILED' && entry.data.nextAttempt !== undefined;
  const ended = ENDS.test(type) && !goesOn;
  return { parent, effectId: effect.effectId, ...(ended && { lasted: { from: effect.askedAt, to } }) };
}

const silentlyCancelled = ({ effects }: RunState): NonNullable<EmissionTrace['silent']> =>
  [...effects.values()]
    .filter(({ status, kind }) => status === 'cancelled' && effectKind(kind).cancelled === undefined)
    .map(({ effectId, kind, askedAt }) => ({ effectId, kind, from: askedAt }));
