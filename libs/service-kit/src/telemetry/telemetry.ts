import { ReinsError } from '@reins/contracts';
import type { Registry } from 'prom-client';
import type { LogOutput } from '../logging/log-output.ts';
import type { TelemetrySettings } from '../settings/telemetry-settings.ts';
import type { TraceContext } from './trace-context.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that has ended. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Of the span itself. */
  readonly context: TraceContext;
  /** The id of the span that it stands in; undefined = it is the trace's first. */
  readonly parentId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly attributes: SpanAttributes;
  /** The code of what went wrong; never its message, which may say what is nobody else's. */
  readonly error?: string | undefined;
}

/** Where a service tells its spans. Does nothing while no endpoint is set. */
export interface Telemetry {
  readonly on: boolean;
  /** Prompts, outputs and what tools were given and answered go along: the operator asked for it. */
  readonly content: boolean;
  span(span: EndedSpan): void;
  /** Sends what is there, for a moment; then nothing more. */
  stop(): Promise<void>;
}

/** What beside spans is exported. */
export interface ExportSources {
  readonly metrics: Registry;
  readonly output: LogOutput;
}

export const NO_TELEMETRY: Telemetry = { on: false, content: false, span: () => {}, stop: async () => {} };

/** Exports spans, metrics and logs of a service where an endpoint is set; what that takes is loaded only then. */
export async function startTelemetry(
  service: string,
  settings: TelemetrySettings,
  exported: ExportSources,
): Promise<Telemetry> {
  const { endpoint } = settings;
  if (endpoint === undefined) return NO_TELEMETRY;
  if (!URL.canParse(endpoint))
    throw new ReinsError({
      code: 'settings_invalid',
      message: 'telemetry.endpoint is no URL',
      path: 'telemetry.endpoint',
    });
  const { startOtlp } = await import('./otlp.ts');
  return startOtlp(service, { ...settings, endpoint }, exported);
}
