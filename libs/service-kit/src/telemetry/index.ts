/** What the parts of a service that know nothing of Nest and its settings need to say what they did as spans. */
export { runAttributes } from './semantics.ts';
export { type EndedSpan, NO_TELEMETRY, type SpanAttributes, type Telemetry } from './telemetry.ts';
export { childContext, formatTraceparent, parseTraceparent, spanIdOf, type TraceContext } from './trace-context.ts';
