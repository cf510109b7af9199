import { createHash, randomBytes } from 'node:crypto';

/** W3C trace context: the trace and the parent span. */
export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  /** Two hex digits; `01` = sampled. */
  readonly flags: string;
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent` header. Returns undefined for an invalid one, which the standard requires to ignore. */
export function parseTraceparent(header: unknown): TraceContext | undefined {
  const [, traceId, spanId, flags] = (typeof header === 'string' && TRACEPARENT.exec(header)) || [];
  return traceId && spanId && flags ? { traceId, spanId, flags } : undefined;
}

export const formatTraceparent = ({ traceId, spanId, flags }: TraceContext): string =>
  `00-${traceId}-${spanId}-${flags}`;

export const newSpanId = (): string => randomBytes(8).toString('hex');

/** Creates the context of a new span, in the parent's trace or in a new trace. */
export function childContext(parent: TraceContext | undefined, spanId: string = newSpanId()): TraceContext {
  return { traceId: parent?.traceId ?? randomBytes(16).toString('hex'), spanId, flags: parent?.flags ?? '01' };
}

/**
 * Derives a span id from a name, the same in every process. A run continues in the trace that its first owner started,
 * and a span recorded twice is one span.
 */
export const spanIdOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 16);

/** Whether the caller records the trace. */
export const isSampled = ({ flags }: TraceContext): boolean => (Number.parseInt(flags, 16) & 1) === 1;
