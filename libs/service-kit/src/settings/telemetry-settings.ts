import { IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { WithoutPassword } from './without-password.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const CONTENTS = ['none', 'all'] as const;

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
}
