import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { LogRecordExporter } from '@opentelemetry/sdk-logs';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TelemetrySettings } from '../settings/telemetry-settings.ts';

interface Exporters {
  readonly spans: SpanExporter;
  readonly metrics: PushMetricExporter;
  readonly logs: LogRecordExporter;
}

/** OTLP/HTTP: each signal has its path below the endpoint (OTLP specification, "OTLP/HTTP Request"). */
export function exportersFor({
  endpoint,
  headers,
  protocol,
}: TelemetrySettings & { readonly endpoint: string }): Exporters {
  const to = (signal: string) => ({ url: `${endpoint.replace(/\/+$/, '')}/v1/${signal}`, headers });
  if (protocol === 'http/json') {
    return {
      spans: new JsonTraceExporter(to('traces')),
      metrics: new JsonMetricExporter(to('metrics')),
      logs: new JsonLogExporter(to('logs')),
    };
  }
  return {
    spans: new ProtobufTraceExporter(to('traces')),
    metrics: new ProtobufMetricExporter(to('metrics')),
    logs: new ProtobufLogExporter(to('logs')),
  };
}
