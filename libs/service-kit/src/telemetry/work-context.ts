import { AsyncLocalStorage } from 'node:async_hooks';
import type { BusMessage } from '@reins/bus';
import { parseEventSubject, parseInboxSubject } from '@reins/contracts';
import { parseTraceparent, type TraceContext } from './trace-context.ts';

/** The current work: an HTTP call or a bus message. */
type WorkContext = { readonly context: TraceContext } | { readonly message: BusMessage };

const storage = new AsyncLocalStorage<WorkContext>();

/** Runs work in a context that `currentIds` reads. */
export const runInContext = <T>(context: WorkContext, work: () => T): T => storage.run(context, work);

/** The ids for a log line, resolved only when a line is written. */
export function currentIds(): object {
  const store = storage.getStore();
  if (!store) return {};
  if ('context' in store) return idsOf(store.context);
  const { event, subject } = store.message;
  const requestId = parseInboxSubject(subject)?.runId ?? parseEventSubject(subject)?.requestId;
  return { ...(requestId !== undefined && { requestId }), ...idsOf(parseTraceparent(event.traceparent)) };
}

const idsOf = (context: TraceContext | undefined): object =>
  context ? { traceId: context.traceId, spanId: context.spanId } : {};
