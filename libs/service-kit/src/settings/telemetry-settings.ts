import { IsIn, IsInt, IsObject, IsOptional, IsString, Max, Min, MinLength } from 'class-validator';
import { WithoutPassword } from './without-password.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
const CONTENTS = ['none', 'all'] as const;

export class TelemetrySettings {
  /** Where traces, metrics and logs are sent by OTLP over HTTP; without it, nowhere. */
  @IsOptional()
  @IsString()
  @MinLength(1)
  @WithoutPassword()
  endpoint?: string;

  /** Sent with every export; they may be secrets. */
  @IsObject()
  headers: Record<string, string> = {};

  @IsIn(PROTOCOLS)
  protocol: (typeof PROTOCOLS)[number] = 'http/protobuf';

  /** `all`: prompts, outputs, and what tools were given and answered go along with spans. */
  @IsIn(CONTENTS)
  content: (typeof CONTENTS)[number] = 'none';

  /** Milliseconds that spans and logs are gathered for. */
  @IsInt()
  @Min(50)
  @Max(60_000)
  intervalMs = 2_000;
}
