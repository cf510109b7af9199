import { createHash, randomBytes } from 'node:crypto';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { TraceHeaders } from '@reins/contracts';

export type { SpanContext };

const W3C = new W3CTraceContextPropagator();
/** The flags that the standard defines: sampled, and random trace id. It requires senders to clear the others. */
const KNOWN_FLAGS = 0b11;

/**
 * Reads the W3C trace context in `traceparent` and `tracestate` of headers. Returns undefined for an invalid
 * `traceparent`, and drops an invalid `tracestate`, as the standard requires.
 */
export function readTrace(headers: object): SpanContext | undefined {
  const context = trace.getSpanContext(W3C.extract(ROOT_CONTEXT, headers, defaultTextMapGetter));
  return context && { ...context, traceFlags: context.traceFlags & KNOWN_FLAGS };
}

/** The headers of a message in a trace. */
export function writeTrace(context: SpanContext): TraceHeaders & { readonly traceparent: string } {
  const headers: { traceparent: string; tracestate?: string } = { traceparent: '' };
  W3C.inject(trace.setSpanContext(ROOT_CONTEXT, context), headers, defaultTextMapSetter);
  if (headers.tracestate === '') delete headers.tracestate;
  return headers;
}

const newSpanId = (): string => randomBytes(8).toString('hex');

/** Creates the context of a new span, in the parent's trace or in a new trace. */
export function childContext(parent: SpanContext | undefined, spanId: string = newSpanId()): SpanContext {
  if (parent) return { ...parent, spanId, isRemote: false };
  return { traceId: randomBytes(16).toString('hex'), spanId, traceFlags: TraceFlags.SAMPLED };
}

/** The context, recorded or not. */
export const withSampling = (context: SpanContext, sampled: boolean): SpanContext => ({
  ...context,
  traceFlags: sampled ? context.traceFlags | TraceFlags.SAMPLED : context.traceFlags & ~TraceFlags.SAMPLED,
});

/**
 * Derives a span id from a name, the same in every process. A run continues in the trace that its first owner started,
 * and a span recorded twice is one span.
 */
export const spanIdOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);

/** Whether the caller records the trace. */
export const isSampled = ({ traceFlags }: SpanContext): boolean => (traceFlags & TraceFlags.SAMPLED) !== 0;
