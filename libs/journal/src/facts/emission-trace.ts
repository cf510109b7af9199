import { type EventType, type TraceHeaders, traceHeadersOf } from '@reins/contracts';
import { effectKind } from '../effects/effect-kinds.ts';
import type { Entry } from '../entries/entry.ts';
import type { RunState } from '../state/run-state.ts';

/**
 * The place of a fact in the trace of its run. It follows from the journal alone, so every owner publishes the same.
 */
export interface EmissionTrace {
  /** The W3C trace context that the run was submitted in. */
  readonly parent: TraceHeaders;
  /** The effect that the fact is about; absent when it is about the run itself. */
  readonly effectId?: string;
  /** For a fact that ends its effect or its run: when that began and ended (RFC 3339). */
  readonly interval?: { readonly from: string; readonly to: string };
  /** For the end of a run: effects that were cancelled without a fact of their own, and when each was requested. */
  readonly unreported?: readonly { readonly effectId: string; readonly kind: string; readonly from: string }[];
}

const ENDS = /^runtime\.(?!request\.).*\.(completed|compiled|failed|rejected|cancelled)$/;

/** Returns undefined for a run without a trace. */
export function emissionTrace(
  state: RunState,
  entry: Entry,
  type: EventType,
  { effectId, terminal }: { readonly effectId: unknown; readonly terminal: boolean },
): EmissionTrace | undefined {
  const { createdAt, effects } = state;
  if (state.traceparent === undefined) return undefined;
  const parent = traceHeadersOf(state);
  const to = entry.recordedAt;
  const effect = typeof effectId === 'string' ? effects.get(effectId) : undefined;
  if (terminal) return { parent, interval: { from: createdAt, to }, unreported: silentlyCancelled(state) };
  if (!effect) return { parent };
  const isContinued = entry.type === 'EFFECT_ATTEMPT_FAILED' && entry.data.nextAttempt !== undefined;
  const ended = ENDS.test(type) && !isContinued;
  return { parent, effectId: effect.effectId, ...(ended && { interval: { from: effect.firstRequestedAt, to } }) };
}

const silentlyCancelled = ({ effects }: RunState): NonNullable<EmissionTrace['unreported']> =>
  [...effects.values()]
    .filter(({ status, kind }) => status === 'cancelled' && effectKind(kind).facts.cancelled === undefined)
    .map(({ effectId, kind, firstRequestedAt }) => ({ effectId, kind, from: firstRequestedAt }));
