import { IsIn, IsInt, IsNumber, IsObject, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { WithoutPassword } from './without-password.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const CONTENTS = ['none', 'all'] as const;
/** The samplers that OpenTelemetry specifies for `OTEL_TRACES_SAMPLER`. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export class TelemetrySettings {
  /** Endpoint for traces, metrics and logs by OTLP over HTTP; without it nothing is exported. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @WithoutPassword()
  endpoint?: string;

  /** Headers of every export; they may contain secrets. */
  @IsObject()
  headers: Record<string, string> = {};

  @IsIn(PROTOCOLS)
  protocol: (typeof PROTOCOLS)[number] = 'http/protobuf';

  /** `all`: spans include prompts, outputs, and the arguments and results of tools. */
  @IsIn(CONTENTS)
  content: (typeof CONTENTS)[number] = 'none';

  /** Batching interval of spans and logs in milliseconds. */
  @IsInt()
  @Min(50)
  @Max(60_000)
  intervalMs = 2_000;

  /** Value of `service.name`; by default the name of the service. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  serviceName?: string;

  /** Attributes of the resource, in addition to those of Reins. */
  @IsObject()
  resourceAttributes: Record<string, string> = {};

  /** Which new traces are recorded. `parentbased_…`: a trace that a caller started keeps the caller's decision. */
  @IsIn(SAMPLERS)
  sampler: (typeof SAMPLERS)[number] = 'parentbased_always_on';

  /** Share of traces that `traceidratio` records. */
  @IsNumber()
  @Min(0)
  @Max(1)
  sampleRatio = 1;
}
