import type { BusMessage, BusObserver, HandledMessage, HandledOutcome } from '@reins/bus';
import { isEventType, isReinsError } from '@reins/contracts';
import type { Registry } from 'prom-client';
import { METRICS, newCounter } from '../metrics/metrics.ts';
import { type Series, SeriesHistogram } from '../metrics/series-histogram.ts';
import { messageAttributes } from './semantics.ts';
import type { Telemetry } from './telemetry.ts';
import { childContext, readTrace } from './trace-context.ts';
import { runInContext } from './work-context.ts';

/**
 * Types of messages whose handling is recorded as a span: requested work. Stages have their own span, with details from
 * the executor.
 */
const TRACED = /^(?!runtime\.stage\.)(command\.|.*\.requested$)/;

/** Creates an observer that measures every message of a service, and records a span for requested work. */
export function busObserver(metrics: Registry, telemetry: Telemetry): BusObserver {
  const seconds = new SeriesHistogram(metrics, METRICS.messageSeconds);
  const known = new Map<string, Partial<Record<HandledOutcome, Series>>>();
  const seriesOf = (type: string, outcome: HandledOutcome): Series => {
    let of = known.get(type);
    if (!of) {
      of = {};
      known.set(type, of);
    }
    of[outcome] ??= seconds.series({ type, outcome });
    return of[outcome];
  };
  const redeliveries = newCounter(metrics, METRICS.redeliveries);
  return {
    runInContext: (message, work) => runInContext({ message }, work),
    handled: (handled) => {
      const { message, outcome, startedAt } = handled;
      const type = typeOf(message);
      const endedAt = performance.now();
      seriesOf(type, outcome).observe((endedAt - startedAt) / 1000);
      if (message.deliveries > 1) redeliveries.inc({ type });
      if (telemetry.on && TRACED.test(type)) recordSpan(telemetry, type, handled, endedAt);
    },
  };
}

function recordSpan(
  telemetry: Telemetry,
  type: string,
  { message, outcome, startedAt, error }: HandledMessage,
  endedAt: number,
): void {
  const parent = readTrace(message.event);
  if (!parent) return;
  telemetry.span({
    name: `process ${type}`,
    kind: 'consumer',
    context: childContext(parent),
    parentId: parent.spanId,
    from: performance.timeOrigin + startedAt,
    to: performance.timeOrigin + endedAt,
    attributes: { ...messageAttributes('process', type, message), 'reins.deliveries': message.deliveries },
    error: outcome === 'done' ? undefined : codeOf(error),
  });
}

/** An unknown type must not create its own series. */
const typeOf = ({ event }: BusMessage): string => (isEventType(event.type) ? event.type : 'unknown');

function codeOf(error: unknown): string {
  if (isReinsError(error)) return error.code;
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal_error';
}
