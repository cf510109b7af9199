import type { Registry } from 'prom-client';
import type { LogOutput } from '../logging/log-output.ts';
import { isSampled, type SpanContext } from './trace-context.ts';

export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that has ended. */
export interface EndedSpan {
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** Trace context of the span itself. */
  readonly context: SpanContext;
  /** Id of the parent span; undefined for a root span. */
  readonly parentId?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly attributes: SpanAttributes;
  /** The error code; never the message, which may contain private data. */
  readonly error?: string | undefined;
}

/** Records the spans of a service. Does nothing without an endpoint. */
export interface Telemetry {
  readonly on: boolean;
  /** Whether spans include prompts, outputs, and the arguments and results of tools. */
  readonly content: boolean;
  /** Whether a trace that enters this service is recorded: the caller's context if it has one, and the id of the trace. */
  samples(parent: SpanContext | undefined, traceId: string): boolean;
  span(span: EndedSpan): void;
  /** Exports what is buffered, with a short timeout, then stops. */
  stop(): Promise<void>;
}

/** Sources of exported metrics and logs. */
export interface ExportSources {
  readonly metrics: Registry;
  readonly output: LogOutput;
}

export const NO_TELEMETRY: Telemetry = {
  on: false,
  content: false,
  samples: (parent) => parent === undefined || isSampled(parent),
  span: () => {},
  stop: async () => {},
};
