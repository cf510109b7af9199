import type { BusMessage, BusObserver, HandledMessage, HandledOutcome } from '@reins/bus';
import { isEventType, isReinsError } from '@reins/contracts';
import type { Registry } from 'prom-client';
import { METRICS, newCounter } from '../metrics/metrics.ts';
import { type Series, SeriesHistogram } from '../metrics/series-histogram.ts';
import { messageAttributes } from './semantics.ts';
import type { Telemetry } from './telemetry.ts';
import { childContext, parseTraceparent } from './trace-context.ts';
import { runInContext } from './work-context.ts';

/** Messages whose handling is a span: work that was asked for. A stage has one of its own, with what its executor tells. */
const TRACED = /^(?!runtime\.stage\.)(command\.|.*\.requested$)/;

/** Measures every message that a service handles, and tells of those that are pieces of work. */
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
      if (telemetry.on && TRACED.test(type)) tell(telemetry, type, handled, endedAt);
    },
  };
}

function tell(
  telemetry: Telemetry,
  type: string,
  { message, outcome, startedAt, error }: HandledMessage,
  endedAt: number,
): void {
  const parent = parseTraceparent(message.event.traceparent);
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

/** A type that is none must not become a series of its own. */
const typeOf = ({ event }: BusMessage): string => (isEventType(event.type) ? event.type : 'unknown');

function codeOf(error: unknown): string {
  if (isReinsError(error)) return error.code;
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal_error';
}
