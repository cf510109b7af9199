/** Span recording for code that does not depend on Nest or the settings. */
export { runAttributes } from './semantics.ts';
export { type EndedSpan, NO_TELEMETRY, type SpanAttributes, type Telemetry } from './telemetry.ts';
export { childContext, readTrace, type SpanContext, spanIdOf, writeTrace } from './trace-context.ts';
