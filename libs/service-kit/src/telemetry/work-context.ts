import { type Context, createContextKey, ROOT_CONTEXT, type SpanContext, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import type { BusMessage } from '@reins/bus';
import { defined, parseEventSubject, parseInboxSubject } from '@reins/contracts';
import { readTrace } from './trace-context.ts';

/**
 * The context of the current work. It is not the global context manager, because Reins can run within a program that
 * has one.
 */
const contexts = new AsyncLocalStorageContextManager().enable();
const MESSAGE = createContextKey('bus message');

/** The context of an HTTP call, or of a bus message. */
type Work = { readonly span: SpanContext } | { readonly message: BusMessage };

/** Runs work in a context that `currentIds` reads. */
export function runInContext<T>(work: Work, run: () => T): T {
  const context: Context =
    'span' in work ? trace.setSpanContext(ROOT_CONTEXT, work.span) : ROOT_CONTEXT.setValue(MESSAGE, work.message);
  return contexts.with(context, run);
}

/** The ids for a log line, resolved only when a line is written. */
export function currentIds(): object {
  const context = contexts.active();
  if (context === ROOT_CONTEXT) return {};
  const message = context.getValue(MESSAGE) as BusMessage | undefined;
  if (!message) return idsOf(trace.getSpanContext(context));
  const { event, subject } = message;
  const requestId = parseInboxSubject(subject)?.runId ?? parseEventSubject(subject)?.requestId;
  return { ...defined({ requestId }), ...idsOf(readTrace(event)) };
}

const idsOf = (context: SpanContext | undefined): object =>
  context ? { traceId: context.traceId, spanId: context.spanId } : {};
