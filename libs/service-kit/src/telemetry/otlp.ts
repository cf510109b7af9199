import { randomUUID } from 'node:crypto';
import { type Context, ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, type IdGenerator, SamplingDecision, TracerProvider } from '@opentelemetry/sdk-trace';
import { defined } from '@reins/contracts';
import type { TelemetrySettings } from '../settings/telemetry-settings.ts';
import { exportersFor } from './otlp-exporters.ts';
import { logEmitter } from './otlp-logs.ts';
import { prometheusProducer } from './otlp-metrics.ts';
import { samplerOf } from './sampler.ts';
import type { EndedSpan, ExportSources, Telemetry } from './telemetry.ts';

const SCOPE = 'reins';
/** Timeout of the last export when a service stops. */
const FLUSH_MS = 3_000;

const KINDS: Readonly<Record<EndedSpan['kind'], SpanKind>> = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Exports to an OTLP endpoint over HTTP: spans and logs in batches, metrics at an interval. */
export function startOtlp(
  service: string,
  settings: TelemetrySettings & { readonly endpoint: string },
  { metrics, output }: ExportSources,
): Telemetry {
  const resource = resourceOf(service, settings);
  const sampler = samplerOf(settings);
  const exporters = exportersFor(settings);
  const ids = new PresetIds();
  const scheduledDelayMillis = settings.intervalMs;
  const spans = new TracerProvider({
    resource,
    idGenerator: ids,
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter: exporters.spans, scheduledDelayMillis })],
  });
  const meters = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: exporters.metrics,
        exportIntervalMillis: Math.max(1_000, settings.intervalMs * 2),
        exportTimeoutMillis: 1_000,
        metricProducers: [prometheusProducer(metrics, resource)],
      }),
    ],
  });
  const logs = new LoggerProvider({
    resource,
    processors: [new BatchLogRecordProcessor({ exporter: exporters.logs, scheduledDelayMillis })],
  });
  output.tap = logEmitter(logs.getLogger(SCOPE));
  const tracer = spans.getTracer(SCOPE);
  return {
    on: true,
    content: settings.content === 'all',
    samples: (parent, traceId) => {
      const { decision } = sampler.shouldSample(contextOf(parent), traceId, 'request', SpanKind.SERVER, {}, []);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    },
    span: (span) => ids.as(span, () => record(tracer, span)),
    stop: async () => {
      output.tap = undefined;
      const flushed = Promise.allSettled([spans.shutdown(), meters.shutdown(), logs.shutdown()]);
      await Promise.race([flushed, new Promise((resolve) => setTimeout(resolve, FLUSH_MS).unref())]);
    },
  };
}

/**
 * The resource of this process. The instance id is unique, so that each replica has its own series. Attributes of the
 * operator take precedence, except for `service.name`, which has its own setting.
 */
function resourceOf(service: string, { serviceName, resourceAttributes }: TelemetrySettings): Resource {
  return resourceFromAttributes({
    'service.namespace': 'reins',
    'service.name': service,
    'service.instance.id': randomUUID(),
    ...resourceAttributes,
    ...defined({ 'service.name': serviceName }),
  });
}

/** The OpenTelemetry context of a span whose parent is in another process. */
const contextOf = (parent: SpanContext | undefined): Context =>
  parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });

type Tracer = ReturnType<TracerProvider['getTracer']>;

function record(tracer: Tracer, { name, kind, context: own, parentId, from, to, attributes, error }: EndedSpan): void {
  const parentContext = contextOf(parentId === undefined ? undefined : { ...own, spanId: parentId });
  const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: from, attributes: given }, parentContext);
  if (error !== undefined) {
    span.setAttribute('error.type', error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(Math.max(from, to));
}

/** Returns preset ids: a span's id was already sent in headers, or is derived from a name. */
class PresetIds implements IdGenerator {
  #span: EndedSpan | undefined;

  as(span: EndedSpan, make: () => void): void {
    this.#span = span;
    make();
    this.#span = undefined;
  }

  generateTraceId(): string {
    return this.#span?.context.traceId ?? '';
  }

  generateSpanId(): string {
    return this.#span?.context.spanId ?? '';
  }
}
