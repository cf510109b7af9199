type Environment = Readonly<Record<string, string | undefined>>;

/** Maps the standard OpenTelemetry variables to Reins settings. Explicit `REINS_` variables take precedence. */
export function withOtelEnvironment(environment: Environment): Environment {
  if (environment.OTEL_SDK_DISABLED === 'true') return environment;
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_HEADERS } = environment;
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return environment;
  return {
    REINS_TELEMETRY_ENDPOINT: OTEL_EXPORTER_OTLP_ENDPOINT,
    REINS_TELEMETRY_PROTOCOL: OTEL_EXPORTER_OTLP_PROTOCOL,
    REINS_TELEMETRY_HEADERS: OTEL_EXPORTER_OTLP_HEADERS && JSON.stringify(headersOf(OTEL_EXPORTER_OTLP_HEADERS)),
    ...environment,
  };
}

/** Parses `key=value,key=value` with percent-encoded values (specification of OTLP exporters). */
function headersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.flatMap(([key, ...value]) => (key?.trim() ? [[key.trim(), decoded(value.join('=').trim())]] : [])),
  );
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
