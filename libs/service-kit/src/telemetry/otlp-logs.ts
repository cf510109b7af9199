import { type AnyValue, type Logger, ROOT_CONTEXT, SeverityNumber, TraceFlags, trace } from '@opentelemetry/api';
import { isObject } from '@reins/contracts';

const SEVERITIES: Readonly<Record<string, SeverityNumber>> = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
};

/** Emits each JSON log line as an OTLP log record, in the trace that it names. */
export function logEmitter(logger: Logger): (line: string) => void {
  return (line) => {
    const entry: unknown = JSON.parse(line);
    if (!isObject(entry)) return;
    const { level, time, msg, service: _, traceId, spanId, ...attributes } = entry;
    const severityText = String(level);
    logger.emit({
      timestamp: new Date(String(time)),
      severityText,
      severityNumber: SEVERITIES[severityText] ?? SeverityNumber.UNSPECIFIED,
      body: String(msg ?? ''),
      attributes: attributes as Record<string, AnyValue>,
      ...(typeof traceId === 'string' && typeof spanId === 'string' && { context: contextOf(traceId, spanId) }),
    });
  };
}

const contextOf = (traceId: string, spanId: string) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.SAMPLED });
