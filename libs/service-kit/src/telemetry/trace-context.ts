import { createHash, randomBytes } from 'node:crypto';

/** W3C trace context: which trace something belongs to, and under which of its spans. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hex digits; `01` = sampled. */
  readonly flags: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The context of a `traceparent`; undefined when it is none, which the standard tells to ignore. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : undefined;
}

export const formatTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags}`;

export const newSpanId = (): string => randomBytes(8).toString('hex');

/** A new span's context: in its parent's trace, or in a new one. */
export function childContext(parent: TraceContext | undefined, spanId: string = newSpanId()): TraceContext {
  return { traceId: parent?.traceId ?? randomBytes(16).toString('hex'), spanId, flags: parent?.flags ?? '01' };
}

/**
 * The id of the span of something that has a name of its own, the same whoever asks: a run goes on in the trace that its first
 * owner began, and a span that is told twice is one.
 */
export const spanIdOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);
