type Environment = Readonly<Record<string, string | undefined>>;

/** Maps the standard OpenTelemetry variables to Reins settings. Explicit `REINS_` variables take precedence. */
export function withOtelEnvironment(environment: Environment): Environment {
  if (environment.OTEL_SDK_DISABLED === 'true') return environment;
  return { ...resourceOf(environment), ...exporterOf(environment), ...environment };
}

/** The resource and the sampler apply to every endpoint, also to one that `REINS_TELEMETRY_ENDPOINT` names. */
function resourceOf(environment: Environment): Environment {
  const { OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG } = environment;
  return {
    REINS_TELEMETRY_SERVICE_NAME: OTEL_SERVICE_NAME,
    REINS_TELEMETRY_RESOURCE_ATTRIBUTES: OTEL_RESOURCE_ATTRIBUTES && JSON.stringify(pairsOf(OTEL_RESOURCE_ATTRIBUTES)),
    REINS_TELEMETRY_SAMPLER: OTEL_TRACES_SAMPLER,
    REINS_TELEMETRY_SAMPLE_RATIO: OTEL_TRACES_SAMPLER && OTEL_TRACES_SAMPLER_ARG,
  };
}

function exporterOf(environment: Environment): Environment {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL, OTEL_EXPORTER_OTLP_HEADERS } = environment;
  if (!OTEL_EXPORTER_OTLP_ENDPOINT) return {};
  return {
    REINS_TELEMETRY_ENDPOINT: OTEL_EXPORTER_OTLP_ENDPOINT,
    REINS_TELEMETRY_PROTOCOL: OTEL_EXPORTER_OTLP_PROTOCOL,
    REINS_TELEMETRY_HEADERS: OTEL_EXPORTER_OTLP_HEADERS && JSON.stringify(pairsOf(OTEL_EXPORTER_OTLP_HEADERS)),
  };
}

/** Parses `key=value,key=value` with percent-encoded values (the format of OpenTelemetry for headers and attributes). */
function pairsOf(text: string): Record<string, string> {
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
