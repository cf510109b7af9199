import type { JsonObject, TraceHeaders } from '@reins/contracts';
import { type Emission, effectKind, type RunState } from '@reins/journal';
import {
  childContext,
  type EndedSpan,
  readTrace,
  runAttributes,
  spanIdOf,
  writeTrace,
} from '@reins/service-kit/telemetry';

/** The trace context and spans of a fact. */
export interface FactTrace {
  /** The trace context of the fact's message: the span of its effect, or of the run. */
  readonly headers: TraceHeaders;
  /** The spans that end with this fact. */
  readonly spans: readonly EndedSpan[];
}

/**
 * Span ids are derived from run and effect ids, and times from the journal, so that a new owner continues the same
 * trace. Undefined for a run without a trace.
 */
export function factTrace({ body, trace }: Emission): FactTrace | undefined {
  const submitted = trace && readTrace(trace.parent);
  if (!trace || !submitted) return undefined;
  const run = childContext(submitted, spanIdOf(body.requestId));
  const { effectId, interval, unreported = [] } = trace;
  const own = effectId === undefined ? run : childContext(submitted, effectSpanId(body.requestId, effectId));
  const headers = writeTrace(own);
  if (!interval) return { headers, spans: [] };
  const { error, stage, runtimeId, attempt } = body as unknown as JsonObject;
  const span: EndedSpan = {
    name: effectId === undefined ? 'run' : nameOf(body.type, stage),
    kind: effectId === undefined ? 'internal' : 'client',
    context: own,
    parentId: effectId === undefined ? submitted.spanId : run.spanId,
    from: Date.parse(interval.from),
    to: Date.parse(interval.to),
    attributes: {
      ...runAttributes(body),
      'gen_ai.conversation.id': body.sessionId,
      'reins.outcome': body.type.split('.').at(-1),
      'reins.effect_id': effectId,
      'reins.stage': textOf(stage),
      'reins.runtime_id': textOf(runtimeId),
      'reins.attempt': typeof attempt === 'number' ? attempt : undefined,
    },
    error: errorCode(error, body.type),
  };
  const cancelled = unreported.map(
    (effect): EndedSpan => ({
      name: `effect ${effect.kind}`,
      kind: 'client',
      context: childContext(submitted, effectSpanId(body.requestId, effect.effectId)),
      parentId: run.spanId,
      from: Date.parse(effect.from),
      to: Date.parse(interval.to),
      attributes: { ...runAttributes(body), 'reins.outcome': 'cancelled', 'reins.effect_id': effect.effectId },
    }),
  );
  return { headers, spans: [...cancelled, span] };
}

/** The context of an effect's span, the parent of everything started for it. Undefined for a run without a trace. */
export function effectTrace({ run, ...state }: RunState, effectId: string): TraceHeaders | undefined {
  const submitted = readTrace(state);
  return submitted && writeTrace(childContext(submitted, effectSpanId(run.runId, effectId)));
}

const effectSpanId = (runId: string, effectId: string): string => spanIdOf(`${runId}/${effectId}`);

/** `runtime.stage.completed` of the stage `execute` ends the effect `stage execute`. */
function nameOf(type: string, stage: unknown): string {
  const kind = type.split('.').slice(1, -1).join('.');
  return `effect ${kind}${effectKind(kind).stageWork === 'run' && typeof stage === 'string' ? ` ${stage}` : ''}`;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function errorCode(error: unknown, type: string): string | undefined {
  if (typeof error === 'object' && error !== null) return String(Reflect.get(error, 'code'));
  return type.endsWith('.rejected') ? 'plan_rejected' : undefined;
}
