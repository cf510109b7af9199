import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { STAGES } from '@reins/contracts';

/** Whether a host can call the models of one provider. */
export class ProviderHealthView {
  @ApiProperty()
  providerId!: string;

  @ApiProperty({
    enum: ['ok', 'unknown', 'failed'],
    description: '`unknown`: the provider responds, but its key or models cannot be checked',
  })
  status!: string;

  @ApiPropertyOptional()
  reason?: string;

  @ApiPropertyOptional({ description: 'what to do' })
  hint?: string;

  @ApiPropertyOptional({ type: [String], description: 'all its models; absent if they are unknown, or more than 200' })
  models?: string[];
}

/** A runtime that a live harness host offers, as the host probed it last. */
export class HarnessView {
  @ApiProperty()
  runtimeId!: string;

  @ApiProperty()
  hostId!: string;

  @ApiProperty({ description: 'version of the executable; empty if the probe failed' })
  version!: string;

  @ApiProperty()
  healthy!: boolean;

  @ApiPropertyOptional({ description: 'why it is unhealthy' })
  reason?: string;

  @ApiProperty({ type: 'integer', description: 'how many stages the host runs at a time' })
  slots!: number;

  @ApiPropertyOptional({ type: 'integer', description: 'how many of the slots are in use' })
  slotsInUse?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'how many stages of the runtime it has taken since it started' })
  stagesTaken?: number;

  @ApiProperty({ type: [String] })
  capabilities!: string[];

  @ApiPropertyOptional({ description: 'what confines its executors: `bubblewrap`, `landlock`, `none` or `off`' })
  sandbox?: string;

  @ApiProperty({ type: [ProviderHealthView] })
  providers!: ProviderHealthView[];
}

/** The runtime of one stage, if a request names no other. */
export class StageRuntimeView {
  @ApiProperty({ enum: STAGES })
  stage!: string;

  @ApiProperty()
  runtimeId!: string;

  @ApiProperty({ enum: ['stage', 'default'], description: 'the part of the profile that names the runtime' })
  runtimeSource!: string;

  @ApiProperty({ description: 'whether a live host offers it as healthy' })
  healthy!: boolean;

  @ApiProperty()
  version!: string;

  @ApiPropertyOptional({ description: 'why it is unhealthy' })
  reason?: string;

  @ApiPropertyOptional({ type: [String], description: 'the runtimes that take over when it fails, in this order' })
  fallback?: string[];
}

export class HarnessList {
  @ApiProperty({ type: [HarnessView], description: 'sorted by runtime and host' })
  harnesses!: HarnessView[];

  @ApiProperty({ type: [StageRuntimeView] })
  stages!: StageRuntimeView[];
}
